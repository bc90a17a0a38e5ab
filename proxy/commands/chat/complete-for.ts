import type { Chat } from '@/lib/chat/chat';
import { samplingResult } from '@/lib/chat/sampling';
import type { JsonObject } from '@/lib/json/value';
import { ErrorResponse } from '@/lib/mcp/answering';
import { RPC_CODE } from '@/lib/wire/protocol-names';
import type { CommandServer } from './command-server';

/** Lets the model of a chat answer a server’s sampling request. Rejects with an ErrorResponse for the server. */
export async function completeFor(
  chat: Chat,
  server: CommandServer | undefined,
  params: JsonObject,
  signal: AbortSignal,
): Promise<JsonObject> {
  if (!server) throw new ErrorResponse(RPC_CODE.internalError, 'The connection is not open yet');
  const { connection, name, version } = server;
  const answer = await chat.complete({ server: name, connection, params }, signal);
  if (!answer) throw new ErrorResponse(RPC_CODE.internalError, 'The model did not answer');
  return samplingResult(answer, version);
}
