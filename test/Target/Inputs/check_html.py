"""Checks a page that mirage-translate has written: python3 check_html.py PAGE

The elements are closed in order, nothing is loaded from elsewhere, and in the drawings no text is wider than its box.
"""
import html.parser
import re
import sys
import unicodedata

VOID = {"meta", "wbr"}
# Of a character of the monospaced font, at 12 pixels.
COLUMN = 7.25


class Checker(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.errors, self.counts = [], [], {}
        self.box = self.text = None

    def fail(self, message):
        self.errors.append(f"{self.getpos()[0]}: {message}")

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.counts[tag] = self.counts.get(tag, 0) + 1
        if tag not in VOID:
            self.open.append(tag)
        for name in ("src", "href", "data", "action", "srcset"):
            if name in attributes:
                self.fail(f"'{tag}' has a '{name}'")
        if tag == "text":
            self.text = (float(attributes["x"]), attributes["class"] == "v")

    def handle_startendtag(self, tag, attributes):
        if tag == "rect":
            attributes = dict(attributes)
            self.box = float(attributes["x"]), float(attributes["width"])

    def handle_endtag(self, tag):
        if not self.open or self.open[-1] != tag:
            return self.fail(f"'{tag}' ends, but {self.open[-3:]} are open")
        self.open.pop()
        if tag == "text":
            self.text = None

    def handle_data(self, data):
        if self.text:
            x, is_right = self.text
            width = COLUMN * sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in data)
            left, right = (x - width, x) if is_right else (x, x + width)
            if left < self.box[0] or right > self.box[0] + self.box[1]:
                self.fail(f"'{data}' doesn't fit into its box")


page = open(sys.argv[1], encoding="utf-8").read()
checker = Checker()
checker.feed(page)
checker.close()
if checker.open:
    checker.fail(f"{checker.open} are not closed")
for pattern in (r"https?://", r"url\(", r"@import", r"[\x00-\x09\x0b-\x1f\x7f]"):
    if re.search(pattern, page):
        checker.fail(f"there is {pattern}")
print("\n".join(checker.errors) or f"{checker.counts.get('svg', 0)} drawings, {checker.counts.get('text', 0)} texts")
sys.exit(bool(checker.errors))
