"""A legacy server whose tools fail, with a traceback on stderr. It runs each call on a thread of its own."""
import json
import sys
import threading
import traceback

READINGS = {"oslo": {"temp": -3}, "bergen": {"rain": 12}}
lock = threading.Lock()
was_read = threading.Event()


def reading(city):
    return READINGS[city]["temp"]


def read_temperature(arguments):
    print(f"reading {arguments['city']}", file=sys.stderr, flush=True)
    return f"{reading(arguments['city'])} °C"


def wait_for_reading(arguments):
    was_read.wait()
    raise ValueError("the station is closed")


TOOLS = {"read_temperature": read_temperature, "wait_for_reading": wait_for_reading}
SCHEMA = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}


def send(message):
    with lock:
        print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)


def call(id, params):
    try:
        text = TOOLS[params["name"]](params["arguments"])
        send({"id": id, "result": {"content": [{"type": "text", "text": text}]}})
    except KeyError as error:
        traceback.print_exc()
        send({"method": "notifications/message", "params": {"level": "error", "data": f"{params['name']} failed"}})
        send({"id": id, "result": {"content": [{"type": "text", "text": str(error)}], "isError": True}})
        was_read.set()
    except ValueError as error:
        send({"id": id, "error": {"code": -32000, "message": str(error)}})


for line in sys.stdin:
    request = json.loads(line)
    method, id = request.get("method"), request.get("id")
    if method == "initialize":
        capabilities = {"tools": {}, "logging": {}}
        info = {"name": "failing", "version": "1.0.0"}
        send({"id": id, "result": {"protocolVersion": "2025-11-25", "capabilities": capabilities, "serverInfo": info}})
    elif method == "tools/list":
        send({"id": id, "result": {"tools": [{"name": name, "inputSchema": SCHEMA} for name in TOOLS]}})
    elif method == "tools/call":
        threading.Thread(target=call, args=(id, request["params"])).start()
    elif id is not None:
        send({"id": id, "result": {}})
