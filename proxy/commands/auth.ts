import { countOf, formatDate } from '@/lib/wire/format';
import { EXIT, usageError } from '@/proxy/cli/exit-code';
import type { RunCommand } from '@/proxy/cli/grammar';
import { plainText } from '@/proxy/cli/plain-text';
import { table } from '@/proxy/cli/table';
import { KeptSignIns } from '@/proxy/connection/kept-sign-ins';
import { ownRecordingsFolder } from '@/proxy/files/data-folder';
import { terminalJson } from './shared/format-content';

/** Lists kept sign-ins without their tokens, or deletes some. */
export const run: RunCommand = async ({ request: { command, given, words }, printText }) => {
  const file = new KeptSignIns(ownRecordingsFolder());
  const signIns = await file.read();
  if (command === 'auth logout') {
    const all = given.has('all');
    if (!all && words.length === 0)
      throw usageError(
        '`auth logout` needs servers: write `mcp-inspect auth logout URL…`, or `--all` for all of them.',
      );
    if (all && words.length > 0) throw usageError('`--all` signs out of every server: remove it, or the URLs.');
    const missing = words.find((word) => !signIns.some(({ server }) => server === word));
    if (missing !== undefined)
      throw usageError(`No sign-in is kept for \`${missing}\`. \`mcp-inspect auth\` lists them.`);
    const isGone = ({ server }: { readonly server: string }) => all || words.includes(server);
    const gone = signIns.filter(isGone).map(({ server }) => server);
    await file.delete(isGone);
    const rest = gone.length === 0 ? '' : ' The authorization servers still accept the tokens.';
    if (given.has('json')) printText(terminalJson({ deleted: gone }));
    else process.stdout.write(`Deleted ${countOf(gone.length, 'sign-in')}.${rest}\n`);
    return EXIT.fine;
  }
  const [word] = words;
  if (word !== undefined && word !== 'list') {
    throw usageError(
      `\`auth\` lists or deletes sign-ins: write \`auth list\` or \`auth logout\`, not \`${word.slice(0, 60)}\`.`,
    );
  }
  if (given.has('json')) {
    const shown = signIns.map(({ server, issuer, scopes, client, refreshToken, at }) => ({
      server,
      issuer,
      scopes,
      clientId: client.client_id,
      kept: new Date(at).toISOString(),
      refreshes: refreshToken !== undefined,
    }));
    printText(terminalJson(shown));
  } else if (signIns.length === 0) {
    process.stdout.write('No sign-in is kept. Keep them with `--auth keep`, or on the page.\n');
  } else {
    const rows = signIns.map(({ server, issuer, scopes, at }) =>
      [server, issuer, scopes.join(' '), formatDate(new Date(at).toISOString())].map(plainText),
    );
    process.stdout.write(`${table(['SERVER', 'ISSUER', 'SCOPES', 'KEPT'], rows, process.stdout.columns)}\n`);
  }
  return EXIT.fine;
};
