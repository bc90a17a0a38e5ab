import type { ClientProfile, HostProfile } from '@/lib/wire/client-profile';
import { type HostId, hostOf } from './hosts';

const APPS = { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } };

const FORMS_AND_URLS = { form: {}, url: {} };

/**
 * The hosts that `--as` can be, each as far as it is known. Whatever a host sends to another origin after a redirect,
 * mcp-inspect sends neither token nor session there.
 */
export const PROFILES: readonly HostProfile[] = [
  profile('claude-code', {
    version: '2.1.292',
    // An `initialize` follows if nothing answers `server/discover`.
    versions: ['2026-07-28', '2025-11-25'],
    info: {
      name: 'claude-code',
      title: 'Claude Code',
      version: '2.1.292',
      description: "Anthropic's agentic coding tool",
      websiteUrl: 'https://claude.com/claude-code',
    },
    capabilities: { roots: { listChanged: true }, elicitation: FORMS_AND_URLS },
    timeouts: { startMs: 30_000 },
    roots: 'folders',
    opening: ['server/discover'],
    from: 'recordings of 2.1.292 (maxshevelev/ByteRipperWeb @e9b76536) and 2.1.289 (kitepon/mcp-lazy @02ee1d40); time limit: its documentation',
    on: '2026-10',
  }),
  profile('vscode', {
    version: '1.138.0',
    versions: ['2025-11-25'],
    info: { name: 'Visual Studio Code', version: '1.138.0' },
    capabilities: {
      roots: { listChanged: true },
      sampling: {},
      elicitation: FORMS_AND_URLS,
      tasks: {
        list: {},
        cancel: {},
        requests: { sampling: { createMessage: {} }, elicitation: { create: {} } },
      },
      extensions: APPS,
    },
    postsBecomeGets: true,
    roots: 'folders',
    opening: ['initialize', 'tools/list'],
    from: 'a recording of 1.138.0 (m0smith/genia-2026 @83019a5a); roots: source of 1.128.1; redirects: source of 1.138.0',
    on: '2026-10-05',
  }),
  profile('cursor', {
    version: '3.22.12',
    versions: ['2025-11-25'],
    info: { name: 'cursor-vscode', version: '1.0.0' },
    capabilities: { elicitation: { form: {} }, roots: { listChanged: false }, extensions: APPS },
    opening: ['initialize', 'tools/list'],
    from: 'a test that repeats 3.22.12 (sidevoice/sidevoice-connector); name and order: a recording of 3.20.17 (commonmeasure/commonmeasure @b0717ccc)',
    on: '2026-09-14',
  }),
  profile('codex', {
    version: '0.153.4',
    versions: ['2025-06-18'],
    info: { name: 'codex-mcp-client', title: 'Codex', version: '0.153.4' },
    capabilities: { elicitation: FORMS_AND_URLS },
    answersRoots: true,
    postsBecomeGets: true,
    timeouts: { startMs: 30_000, silenceMs: 300_000 },
    roots: 'none',
    from: 'a recording of 0.153.4 (junghan0611/entwurf); time limits, roots and redirects: source (openai/codex @16f525d0 and @02035efb, modelcontextprotocol/rust-sdk @4a738b9d)',
    on: '2026-09-08',
  }),
  profile('gemini', {
    version: '0.59.0',
    versions: ['2025-06-18'],
    info: { name: 'gemini-cli-mcp-client', version: '0.59.0' },
    capabilities: { roots: { listChanged: true } },
    postsBecomeGets: true,
    timeouts: { startMs: 600_000, silenceMs: 600_000 },
    roots: 'folders',
    from: 'a recording of 0.59.0 (commonmeasure/commonmeasure @b0717ccc); time limits, roots and redirects: source of 0.61.0',
    on: '2026-09-14',
  }),
];

type Given = Pick<HostProfile, 'version' | 'versions' | 'roots' | 'opening' | 'from' | 'on'> &
  Pick<HostProfile['client'], 'capabilities' | 'info' | 'timeouts' | 'answersRoots' | 'postsBecomeGets'>;

function profile(
  id: HostId,
  { capabilities, info, timeouts, answersRoots, postsBecomeGets, ...facts }: Given,
): HostProfile {
  const [protocol, other] = facts.versions;
  const client: HostProfile['client'] = {
    as: id,
    ...(other === undefined && protocol !== undefined && { protocol }),
    capabilities,
    info,
    ...(timeouts && { timeouts }),
    ...(answersRoots && { answersRoots }),
    ...(postsBecomeGets && { postsBecomeGets }),
  } satisfies ClientProfile;
  return { id, title: hostOf(id).title, client, ...facts };
}
