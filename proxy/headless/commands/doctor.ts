import { EXIT } from '../../cli/exit-code';
import type { Subcommand } from '../subcommand';

/** Says that the server can be connected, how, and what it printed besides MCP messages; of one that can't be, the attempt has said why. */
export const doctor: Subcommand = async () => {
  return async ({ negotiated, out, stray }) => {
    // `--no-handshake` is refused for this word.
    const { version, era, serverInfo } = negotiated!;
    const lines = stray.takeLines();
    const findings = lines ? [{ code: 'not-mcp', ...lines }] : [];
    if (out.json) {
      out.exact(JSON.stringify({ code: 'connected', version, era, ...(serverInfo && { serverInfo }), findings }));
    } else {
      out.say(`The server can be connected: protocol ${version}, ${era} era.`);
      for (const { message } of findings) out.say(`Problem: ${message}`);
    }
    return EXIT.fine;
  };
};
