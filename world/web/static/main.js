// Starts the modules every page uses.
import "./settle.js";
import "./typeahead.js";
import "./scroll.js";
import "./dialogs.js";
import "./shortcuts.js";
import "./listbox.js";
import "./combobox.js";
import "./composer.js";
import "./drafts.js";
import "./outbox.js";
import "./drag.js";
import "./live.js";
import "./seen.js";
