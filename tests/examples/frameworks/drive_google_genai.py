"""Google Gen AI SDK: the example with a model server on loopback."""

from __future__ import annotations

import asyncio
import json
import sys
from typing import Any

from google import genai
from google.genai import types
from model_server import serve
from script import ANSWER, TASK, ScriptedModel
from with_google_genai import work

script = ScriptedModel(sys.argv[1])


def respond(path: str, request: dict[str, Any]) -> tuple[bytes, str]:
    """Answer a generateContent request."""
    for part in request["contents"][-1]["parts"]:
        if "functionResponse" in part:
            script.hear(part["functionResponse"]["response"])
    call = script.call()
    part = {"functionCall": {"name": call[0], "args": call[1]}} if call else {"text": ANSWER}
    content = {"role": "model", "parts": [part]}
    answer = {"candidates": [{"content": content, "finishReason": "STOP", "index": 0}]}
    return json.dumps(answer).encode(), "application/json"


options = types.HttpOptions(base_url=serve(respond))
script.check(asyncio.run(work(TASK, genai.Client(api_key="none", http_options=options))))
