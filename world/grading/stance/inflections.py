"""The forms of English verbs and nouns, for the phrases of the lexicon."""

_IRREGULAR = {
    row.split()[0]: tuple(row.split())
    for row in """
be is are was were been being am 's
have has had having
do does did done doing
go goes went gone going
get gets got gotten getting
give gives gave given giving
take takes took taken taking
make makes made making
come comes came coming
run runs ran running
put puts putting
keep keeps kept keeping
hold holds held holding
lose loses lost losing
leave leaves left leaving
let lets letting
break breaks broke broken breaking
fall falls fell fallen falling
feel feels felt feeling
hit hits hitting
hurt hurts hurting
see sees saw seen seeing
say says said saying
tell tells told telling
think thinks thought thinking
know knows knew known knowing
hear hears heard hearing
find finds found finding
send sends sent sending
ship ships shipped shipping
stand stands stood standing
stay stays stayed staying
lie lies lay lain lying
die dies died dying
write writes wrote written writing
withdraw withdraws withdrew withdrawn withdrawing
undo undoes undid undone undoing
redo redoes redid redone redoing
buy buys bought buying
pay pays paid paying
cut cuts cutting
set sets setting
sit sits sat sitting
speak speaks spoke spoken speaking
mean means meant meaning
meet meets met meeting
begin begins began begun beginning
throw throws threw thrown throwing
bring brings brought bringing
swap swaps swapped swapping
put puts putting
show shows showed shown showing
understand understands understood understanding
arise arises arose arisen arising
slip slips slipped slipping
drop drops dropped dropping
stop stops stopped stopping
commit commits committed committing
defer defers deferred deferring
refer refers referred referring
occur occurs occurred occurring
pull pulls pulled pulling
land lands landed landing
forbid forbids forbade forbidden forbidding
forget forgets forgot forgotten forgetting
owe owes owed owing
ok ok'd oks okayed
wear wears wore worn
bill bills billed billing
read reads reading
sell sells sold selling
spend spends spent spending
hide hides hid hidden hiding
build builds built building
""".strip().splitlines()
}
_VOWELS = "aeiou"


def inflect(word: str) -> tuple[str, ...]:
    """A word with its endings; a form that does not exist harms nothing."""
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if word.endswith("e"):
        return word, word + "s", word + "d", word[:-1] + "ing"
    if word.endswith("y") and word[-2] not in _VOWELS:
        return word, word[:-1] + "ies", word[:-1] + "ied", word + "ing"
    if word.endswith(("s", "x", "z", "ch", "sh")):
        return word, word + "es", word + "ed", word + "ing"
    forms = (word, word + "s", word + "ed", word + "ing")
    short = len(word) > 2 and word[-1] in "bdgmnprt" and word[-2] in _VOWELS and word[-3] not in _VOWELS
    return (*forms, word + word[-1] + "ed", word + word[-1] + "ing") if short else forms
