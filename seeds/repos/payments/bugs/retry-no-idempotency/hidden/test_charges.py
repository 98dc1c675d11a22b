"""What must keep working whatever is done about retries."""

import json
import os
import unittest
import urllib.request
from urllib.error import HTTPError

BASE = os.environ.get("SERVICE_URL", "http://127.0.0.1:8080")


def ask(method: str, path: str, body: object = None) -> tuple[int, dict]:
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(BASE + path, data=data, method=method)
    try:
        with urllib.request.urlopen(request, timeout=20) as answer:
            return answer.status, json.load(answer)
    except HTTPError as error:
        with error:
            return error.code, json.load(error)


def pay(order: str, card: str = "tok_visa") -> dict:
    body = {"merchant": "m_hidden", "order": order, "amount": {"value": 4990, "currency": "EUR"}, "card": card}
    return ask("POST", "/v1/payments", body)[1]


def booked(payment: str, kind: str) -> list[int]:
    rows = ask("GET", f"/sandbox/payments/{payment}/bookings")[1]["bookings"]
    return [row["value"] for row in rows if row["kind"] == kind]


class TestCharges(unittest.TestCase):
    def test_an_ordinary_capture_is_booked_once(self):
        payment = pay("C-1")["id"]
        status, capture = ask("POST", f"/v1/payments/{payment}/captures", {})
        self.assertEqual((status, capture["status"]), (201, "done"))
        self.assertEqual(booked(payment, "capture"), [4990])

    def test_two_wanted_captures_are_two_bookings(self):
        payment = pay("C-2")["id"]
        for _ in range(2):
            ask("POST", f"/v1/payments/{payment}/captures", {"value": 500})
        self.assertEqual(booked(payment, "capture"), [500, 500])

    def test_refunds_still_go_out(self):
        payment = pay("C-3")["id"]
        ask("POST", f"/v1/payments/{payment}/captures", {})
        for _ in range(2):
            self.assertEqual(ask("POST", f"/v1/payments/{payment}/refunds", {"value": 90})[0], 201)
        self.assertEqual(booked(payment, "refund"), [90, 90])

    def test_a_decline_is_not_captured(self):
        payment = pay("C-4", "tok_declined")
        self.assertEqual(payment["status"], "declined")
        self.assertEqual(ask("POST", f"/v1/payments/{payment['id']}/captures", {})[0], 422)


if __name__ == "__main__":
    unittest.main()
