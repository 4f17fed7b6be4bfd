"""`POST /ws-message`: what a bridge in another process heard from a session's extension."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from tabmux.bridge.http_endpoints import addressee, read_body, refusal
from tabmux.bridge.messages import tab_of
from tabmux.daemon.couriers import SessionExtensions
from tabmux.errors import Misuse, TabmuxError


class Postbox:
    """Takes in messages for sessions."""

    def __init__(self, couriers: SessionExtensions) -> None:
        self._couriers = couriers

    async def take(self, request: Request) -> Response:
        """Answer 202 and tell the session, or say what is wrong."""
        try:
            session, tab = addressee(request)
            body = await read_body(request)
            if not isinstance(body.get("type"), str):
                raise Misuse("A message is {messageId, type, payload}.")
        except TabmuxError as error:
            return refusal(error)
        courier = self._couriers.find(session)
        if courier is None:
            return JSONResponse({"error": "There is no such session."}, 404)
        courier.receive(body, tab if tab is not None else tab_of(body.get("payload")))
        return JSONResponse({"accepted": True}, 202)
