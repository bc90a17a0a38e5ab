import { expect, it } from 'vitest';
import { ServerTelemetry } from './server-telemetry';
import { sendJson } from './test-receiver';

/** Starts to receive the telemetry of a server. */
async function opened(): Promise<ServerTelemetry> {
  const telemetry = ServerTelemetry.of({ transport: 'stdio', name: 'files', env: { NODE_ENV: 'test' } })!;
  await telemetry.open(
    () => undefined,
    () => {},
  );
  return telemetry;
}

it('receives the telemetry of a server that starts while the last other one ends', async () => {
  // Each number of turns lets the second one start at another step of the end.
  for (let turns = 0; turns < 12; turns++) {
    const closing = (await opened()).close();
    for (let turn = 0; turn < turns; turn++) await undefined;
    const other = await opened();
    await closing;
    const { status } = await sendJson(`${other.variables.OTEL_EXPORTER_OTLP_ENDPOINT}/v1/traces`, {});
    expect(status, `after ${turns} turns`).toBe(200);
    await other.close();
  }
});

it('stops to listen when no server is left', async () => {
  const [one, two] = [await opened(), await opened()];
  const url = `${two.variables.OTEL_EXPORTER_OTLP_ENDPOINT}/v1/traces`;
  await one.close();
  expect((await sendJson(url, {})).status).toBe(200);
  await two.close();
  await expect(sendJson(url, {})).rejects.toThrow('ECONNREFUSED');
});

it('stops to listen if the connection ends before it has started', async () => {
  const telemetry = ServerTelemetry.of({ transport: 'stdio', name: 'files', env: { NODE_ENV: 'test' } })!;
  const opening = telemetry.open(
    () => undefined,
    () => {},
  );
  await telemetry.close();
  await opening;
  expect(telemetry.variables).toEqual({});
  const [one, two] = [await opened(), await opened()];
  const url = `${one.variables.OTEL_EXPORTER_OTLP_ENDPOINT}/v1/traces`;
  await Promise.all([one.close(), two.close()]);
  await expect(sendJson(url, {})).rejects.toThrow('ECONNREFUSED');
});
