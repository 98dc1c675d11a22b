"""The delivery log shows every delivery once, however it is paged. Drives the service over HTTP at SERVICE_URL."""

import json
import os
import unittest
from urllib.parse import urlencode
from urllib.request import Request, urlopen

BASE = os.environ.get("SERVICE_URL", "http://127.0.0.1:8080").rstrip("/")
HEADERS = {"Authorization": "Bearer local", "Content-Type": "application/json", "X-Actor": "test", "X-Reason": "test"}


def call(method, path, body=None):
    data = None if body is None else json.dumps(body).encode()
    with urlopen(Request(BASE + path, data=data, headers=HEADERS, method=method), timeout=10) as answer:
        return json.load(answer), answer.headers


def fan_out(merchant, endpoints, events):
    """Every event becomes one delivery per endpoint, all with the event's time."""
    for number in range(endpoints):
        call("POST", "/v1/endpoints", {"merchant": merchant, "url": f"https://{merchant}.example/hooks/{number}"})
    for number in range(events):
        event = {"id": f"evt_{number}", "merchant": merchant, "type": "order.paid", "data": {"number": number}}
        answer, _ = call("POST", "/v1/events", event)
        assert answer["deliveries"] == endpoints, answer


def walk(**query):
    """All rows of all pages, and how long each page was."""
    rows, sizes, place = [], [], {}
    while place is not None and len(sizes) < 200:
        answer, _ = call("GET", "/v1/deliveries?" + urlencode({**query, **place}))
        rows += answer["data"]
        sizes.append(len(answer["data"]))
        place = {"cursor": answer["next"]} if answer["next"] else None
    return rows, sizes


class Pages(unittest.TestCase):
    def assert_whole(self, merchant, expected, **query):
        for limit in (1, 2, 3, 4, 7):
            with self.subTest(limit=limit):
                rows, sizes = walk(merchant=merchant, limit=limit, **query)
                self.assertEqual(sorted(row["id"] for row in rows), sorted(expected))
                self.assertTrue(all(size == limit for size in sizes[:-1]), sizes)

    def all_of(self, merchant, **query):
        rows, _ = walk(merchant=merchant, limit=100, **query)
        return [row["id"] for row in rows]

    def test_an_event_for_five_endpoints_is_shown_five_times(self):
        fan_out("pages-one", 5, 1)
        whole = self.all_of("pages-one")
        self.assertEqual(len(set(whole)), 5)
        self.assert_whole("pages-one", whole)

    def test_several_events_for_three_endpoints_lose_nothing_between_pages(self):
        fan_out("pages-many", 3, 6)
        whole = self.all_of("pages-many")
        self.assertEqual(len(set(whole)), 18)
        self.assert_whole("pages-many", whole)

    def test_pages_come_newest_first_in_the_same_order_as_one_page(self):
        fan_out("pages-order", 4, 3)
        rows, _ = walk(merchant="pages-order", limit=5)
        times = [row["created_ms"] for row in rows]
        self.assertEqual(times, sorted(times, reverse=True))
        self.assertEqual([row["id"] for row in rows], self.all_of("pages-order"))

    def test_a_filtered_log_loses_nothing_either(self):
        fan_out("pages-state", 4, 2)
        whole = self.all_of("pages-state", state="pending")
        self.assertEqual(len(whole), 8)
        self.assert_whole("pages-state", whole, state="pending", type="order.paid")

    def test_the_link_header_leads_through_the_whole_log(self):
        fan_out("pages-link", 5, 1)
        found, path = [], "/v1/deliveries?merchant=pages-link&limit=2"
        for _ in range(10):
            answer, headers = call("GET", path)
            found += [row["id"] for row in answer["data"]]
            if "Link" not in headers:
                break
            path = headers["Link"].partition(">")[0].lstrip("<")
        self.assertEqual(len(set(found)), 5)
        self.assertEqual(len(found), 5)


if __name__ == "__main__":
    unittest.main()
