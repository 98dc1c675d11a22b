"""Reports of defects, as people write them, for the authors of chores."""

REPORTS = (
    ("Total is one cent off in March", "A merchant added it up by hand: 1,204.31 on the page, 1,204.32 in the file."),
    ("Second page shows the first rows again", "Happens with more than 50 rows. The first three rows come twice."),
    ("Umlauts come out as question marks", "Müller is M?ller in the PDF. In the CSV it is right."),
    ("The file is empty on the first of a month", "Zero bytes on 1 February, fine again the day after."),
    ("Cancelled orders are counted", "Two cancelled orders are in the total of a shop in Ghent."),
    ("Download stops after 30 seconds", "Large shops only. Chrome says network error, the log says nothing."),
    ("Wrong day for merchants in New York", "Orders after 19:00 are on the next day there."),
    ("Search finds nothing with a hyphen", "Try Baden-Baden. Without the hyphen it works."),
    ("The link in the mail opens the start page", "Not the statement that the mail is about."),
    ("Refunds have no minus sign", "A refund of 20 looks like a sale of 20."),
    ("Old logo on printed pages", "The screen has the new one. Printing brings back the blue ship."),
    ("An address in Ireland is refused", "It says the postcode is missing. It is an Eircode and it is there."),
)
WISHES = (
    ("Could the list remember its order?", "I sort by date every morning."),
    ("Dark mode", "Asked for by two merchants."),
    ("Export to Excel", "CSV is fine for most, not for all."),
    ("How do I get the file of last year?", "Not a defect, I only can't find it."),
    ("A column for the merchant's own number", "They would like to see their reference."),
)
"""Titles and texts of wishes and questions, which are no defects."""
