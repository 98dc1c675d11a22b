"""Captures whose answers get lost, seen from outside."""

import json
import os
import unittest
import urllib.request
from urllib.error import HTTPError

BASE = os.environ.get("SERVICE_URL", "http://127.0.0.1:8080")


def ask(method: str, path: str, body: object = None, key: str | None = None) -> tuple[int, dict]:
    headers = {"Content-Type": "application/json"} | ({"Idempotency-Key": key} if key else {})
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(BASE + path, data=data, method=method, headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=20) as answer:
            return answer.status, json.load(answer)
    except HTTPError as error:
        with error:
            return error.code, json.load(error)


def pay(order: str, card: str = "tok_silent", value: int = 4990) -> str:
    body = {"merchant": "m_hidden", "order": order, "amount": {"value": value, "currency": "EUR"}, "card": card}
    status, payment = ask("POST", "/v1/payments", body)
    assert (status, payment["status"]) == (201, "authorised"), (status, payment)
    return payment["id"]


def captures(payment: str) -> list[int]:
    booked = ask("GET", f"/sandbox/payments/{payment}/bookings")[1]["bookings"]
    return [booking["value"] for booking in booked if booking["kind"] == "capture"]


class TestTimeouts(unittest.TestCase):
    def settled(self, payment: str) -> str:
        ask("POST", "/internal/sweep", {})
        return ask("GET", f"/v1/payments/{payment}")[1]["status"]

    def test_timeout_after_capture_charges_once(self):
        payment = pay("H-1")
        ask("POST", f"/v1/payments/{payment}/captures", {})
        self.assertEqual(self.settled(payment), "captured")
        self.assertEqual(captures(payment), [4990])

    def test_partial_captures_are_booked_once_each(self):
        payment = pay("H-2")
        ask("POST", f"/v1/payments/{payment}/captures", {"value": 1000})
        self.assertEqual(self.settled(payment), "partially_captured")
        ask("POST", f"/v1/payments/{payment}/captures", {"value": 1000})
        self.settled(payment)
        self.assertEqual(captures(payment), [1000, 1000])

    def test_a_caller_who_repeats_himself_charges_once(self):
        payment = pay("H-3")
        for _ in range(3):
            ask("POST", f"/v1/payments/{payment}/captures", {"value": 4990}, key="hidden-repeat")
        self.assertEqual(self.settled(payment), "captured")
        self.assertEqual(captures(payment), [4990])


if __name__ == "__main__":
    unittest.main()
