import { EXIT } from '../../cli/exit-code';
import type { Subcommand } from '../subcommand';

/** Reports that the server can be connected, how, and its non-MCP output. A failed attempt has already said why. */
export const doctor: Subcommand = async () => {
  return async ({ negotiated, out, stray }) => {
    // `--no-handshake` is refused for this word.
    const { version, era, serverInfo } = negotiated!;
    const lines = stray.takeLines();
    const findings = lines ? [{ code: 'not-mcp', ...lines }] : [];
    if (out.json) {
      out.exact(JSON.stringify({ code: 'connected', version, era, ...(serverInfo && { serverInfo }), findings }));
    } else out.say(`The server can be connected: protocol ${version}, ${era} era.`);
    for (const { message } of findings) out.note('mcp-inspect', message);
    return EXIT.fine;
  };
};
