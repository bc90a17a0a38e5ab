"""The server of the animated picture in the README."""
import json
import sys
import traceback

STATIONS = {
    "oslo": {"temp": -3, "wind": 4},
    "bergen": {"wind": 12},
}


def forecast(city):
    print(f"reading the station of {city}", file=sys.stderr, flush=True)
    station = STATIONS[city]
    return f"{station['temp']} °C, wind {station['wind']} m/s"


CITY = {"type": "string", "enum": sorted(STATIONS)}
TOOLS = [
    {
        "name": "forecast",
        "description": "The weather at a station",
        "inputSchema": {"type": "object", "properties": {"city": CITY}, "required": ["city"]},
    }
]


def answer(method, params):
    if method == "initialize":
        info = {"name": "weather", "version": "1.0.0"}
        return {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": info}
    if method == "tools/list":
        return {"tools": TOOLS}
    if method == "tools/call":
        try:
            return {"content": [{"type": "text", "text": forecast(**params["arguments"])}]}
        except Exception as error:
            traceback.print_exc()
            return {"content": [{"type": "text", "text": str(error)}], "isError": True}
    return None


for line in sys.stdin:
    request = json.loads(line)
    if "id" in request:
        result = answer(request["method"], request.get("params"))
        unknown = {"error": {"code": -32601, "message": "Method not found"}}
        reply = unknown if result is None else {"result": result}
        print(json.dumps({"jsonrpc": "2.0", "id": request["id"], **reply}), flush=True)
