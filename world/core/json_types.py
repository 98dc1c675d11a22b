"""Types of JSON that an app builds and sends."""

JsonObject = dict[str, object]
