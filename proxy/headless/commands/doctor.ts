import { EXIT } from '../../cli/exit-code';
import type { Subcommand } from '../subcommand';

/** Says that the server can be connected, and how; of one that can't be, the attempt has said why. */
export const doctor: Subcommand = async () => {
  return async ({ negotiated: { version, era, serverInfo }, out }) => {
    if (out.json) out.exact(JSON.stringify({ code: 'connected', version, era, ...(serverInfo && { serverInfo }) }));
    else out.say(`The server can be connected: protocol ${version}, ${era} era.`);
    return EXIT.fine;
  };
};
