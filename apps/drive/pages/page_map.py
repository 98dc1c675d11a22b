"""Map from each operation to its page: the form of a write, or the view of a read; braces name arguments.

A key `operation+argument` is the page to use when that argument is given. Operations whose dialog has other fields than
their arguments are on `/more`.
"""

_MORE = (
    "drive.comments.create",
    "drive.comments.delete",
    "drive.comments.update",
    "drive.files.copy",
    "drive.files.create",
    "drive.files.update",
    "drive.permissions.create",
    "drive.permissions.delete",
    "drive.permissions.update",
    "drive.replies.create",
    "drive.replies.delete",
    "drive.replies.update",
    "drive.revisions.delete",
    "drive.revisions.update",
    "web.requestAccess",
    "web.setAccess",
    "web.share",
)
PLACES: dict[str, str] = {
    **{operation: f"/more/{operation}" for operation in _MORE},
    "drive.about.get": "/my-drive",
    "drive.comments.list": "/d/{fileId}/edit?pane=comments&show=all",
    "drive.files.delete": "/trash?dialog=forever&file={fileId}",
    "drive.files.emptyTrash": "/trash?dialog=empty-trash",
    "drive.files.export": "/d/{fileId}/export?mimeType={mimeType}",
    "drive.files.get": "/my-drive?dialog=details&file={fileId}",
    "drive.files.list": "/my-drive",
    "drive.files.update+description": "/my-drive?dialog=details&file={fileId}",
    "drive.files.update+name": "/my-drive?dialog=rename&file={fileId}",
    "drive.permissions.list": "/my-drive?dialog=share&file={fileId}",
    "drive.revisions.list": "/my-drive?dialog=history&file={fileId}",
    "web.activity": "/my-drive?dialog=details&tab=activity&file={fileId}",
    "web.people": "/people?q={q}",
}
