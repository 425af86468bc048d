"""Overa from Python 3.9 or later, with its standard library alone. Copy this file into your project."""
import base64
import hmac
import http.client
import json
import re
import time
import urllib.error
import urllib.parse
import urllib.request
from decimal import Decimal

PAUSES = (2, 5, 15)  # seconds before a request is repeated that certainly issued nothing, or that got no answer


class OveraError(Exception):
    """`status` is None where no answer came; `code` is one of docs/errors.md; `body` is the whole answer."""

    def __init__(self, status, code, body):
        super().__init__(f"{status or 'no answer'} {code or ''}")
        self.status, self.code, self.body = status, code, body


class Refused(OveraError):
    """Nothing was issued, and waiting does not help. Correct the request; where `new_key`, the next one needs a new key."""

    new_key = False


class NotIssued(OveraError):
    """Nothing was issued. The same request with the same key, later."""


class Unknown(OveraError):
    """It may have been issued. The same request with the same key, later; nothing under another key."""


def document_in(body):
    """The document that an answer is about: itself, or the current one of a case or a workflow."""
    if not isinstance(body, dict):
        return None
    if "cashRefundCopy" in body:
        # Whatever else stopped a refund, the refund itself may be signed.
        return {**body, "status": "REJECTED" if body["status"] == "FAILED" else "OUTCOME_UNKNOWN"}
    inner = body.get("current") if "advanceSales" in body else body.get("document") if "source" in body else body
    return inner if isinstance(inner, dict) and "status" in inner and "failureCode" in inner else None


def verify_webhook(body, headers, secrets, now=None):
    """The event of a message (`body`: the bytes as received) that one of the secrets (`whsec_…`; both, while one is rotated) has signed within
    five minutes of now; None otherwise."""
    id, timestamp, signatures = (headers.get(f"webhook-{name}") or "" for name in ("id", "timestamp", "signature"))
    if not id or not re.fullmatch("[0-9]{1,12}", timestamp) or abs((time.time() if now is None else now) - int(timestamp)) > 300:
        return None
    for secret in secrets:
        key = base64.b64decode(secret[6:]) if secret.startswith("whsec_") else b""
        if key:
            own = b"v1," + base64.b64encode(hmac.new(key, f"{id}.{timestamp}.".encode() + body, "sha256").digest())
            if any(hmac.compare_digest(own, one.encode()) for one in signatures.split(" ")):
                return json.loads(body, parse_float=Decimal)
    return None


class Overa:
    def __init__(self, base_url, auth_url, client_id, client_secret, patience=900, sleep=time.sleep):
        """`patience`: for how many seconds an unknown outcome is asked for before `Unknown` is raised."""
        self.base_url, self.auth_url, self.patience, self.sleep = base_url.rstrip("/"), auth_url, patience, sleep
        self.credential = {"grant_type": "client_credentials", "client_id": client_id, "client_secret": client_secret}
        self.token, self.token_until = None, 0.0

    def call(self, method, path, body=None, key=None):
        """Answers the body of a success. A string is sent as CSV, anything else as JSON. Store `key` with the order first: calling again with it is then safe in every case."""
        attempts, waited, lost = 0, 0, False
        while True:
            status, headers, answer = self._send(method, path, body, key)
            if status is not None and status < 300:
                return answer
            document = document_in(answer)
            code = document["failureCode"] if document else answer.get("code", answer.get("error")) if isinstance(answer, dict) else None
            # Once an answer was lost, only the stored document itself says that nothing was issued.
            silent = status is None or (status >= 500 and code in (None, "INTERNAL_ERROR"))
            lost = document is None and (lost or silent)
            unknown = document is not None and document["status"] in ("SUBMITTING", "OUTCOME_UNKNOWN", "RECONCILING")
            asked = headers.get("Retry-After") or ""
            asked = int(asked) if asked.isdigit() else 0
            again = "Retry-After" in headers or (silent and (key is not None or method != "POST"))
            pause = (asked or 30) if unknown else max(asked, PAUSES[attempts]) if attempts < len(PAUSES) else None
            if not again or pause is None or (unknown and waited + pause > self.patience):
                raise self._error(status, code, answer, document, unknown or lost, again)
            attempts, waited = (attempts, waited + pause) if unknown else (attempts + 1, waited)
            self.sleep(pause)

    @staticmethod
    def _error(status, code, answer, document, may_exist, again):
        kind = Unknown if may_exist else NotIssued if again or (document and document["status"] == "NOT_FISCALIZED") else Refused
        error = kind(status, code, answer)
        error.new_key = bool(document and document["status"] == "REJECTED")
        return error

    def _send(self, method, path, body, key):
        """One attempt. A token that has ended is replaced once, and the same request sent again with the same key."""
        for _ in range(2):
            if self.token is None or self.token_until < time.time() + 30:
                status, headers, granted = self._http("POST", self.auth_url, {}, urllib.parse.urlencode(self.credential).encode())
                if status != 200:  # nothing was sent to the service itself
                    return (status, headers, granted) if status and status < 500 else (503, {"Retry-After": "2"}, {"error": "no token"})
                self.token, self.token_until = granted["access_token"], time.time() + granted["expires_in"]
            headers = {"Authorization": f"Bearer {self.token}", "Accept": "application/json"}
            if key is not None:
                headers["Idempotency-Key"] = key
            if body is not None:
                headers["Content-Type"] = "text/csv" if isinstance(body, str) else "application/json"
            # A decimal becomes the number with its digits; `float` keeps fifteen of them.
            text = body if body is None or isinstance(body, str) else json.dumps(body, ensure_ascii=False, default=float)
            data = None if text is None else text.encode()
            answer = self._http(method, self.base_url + path, headers, data)
            if answer[0] != 401:
                break
            self.token = None
        return answer

    @staticmethod
    def _http(method, url, headers, data):
        request = urllib.request.Request(url, data=data, headers=headers, method=method)
        try:
            try:
                answer = urllib.request.urlopen(request, timeout=60)
            except urllib.error.HTTPError as refusal:
                answer = refusal
            with answer:
                status, given, content = answer.code, answer.headers, answer.read()
        except (OSError, http.client.HTTPException):  # refused, cut or timed out
            return None, {}, None
        if "json" not in (given.get("Content-Type") or "") or given.get("ETag"):
            return status, given, content
        try:
            return status, given, json.loads(content, parse_float=Decimal)
        except ValueError:
            return None, {}, None
