import { FEATURES } from '@/features/features';
import { DOCTOR_HOST_OPTIONS } from '@/features/host-options';
import type { Option, Subcommand } from '@/proxy/cli/grammar';
import {
  CLIENT_OPTIONS,
  REPORT_OPTIONS,
  replaced,
  SERVER_OPTIONS,
  SIGN_IN_KEY,
  TIMEOUT_NOTE,
} from '@/proxy/cli/options';

const AUTH = SERVER_OPTIONS.find(({ name }) => name === 'auth')!;
/** `--auth` of `doctor`. */
const SIGN_IN: Option = { ...AUTH, keys: [...AUTH.keys!, SIGN_IN_KEY] };

export const FAULTS: readonly Subcommand[] = [
  {
    name: 'doctor',
    summary: 'test a connection: its steps, or why it fails',
    usage: '',
    words: [0, 0],
    server: 'required',
    options: [...DOCTOR_HOST_OPTIONS, ...REPORT_OPTIONS, ...CLIENT_OPTIONS, ...replaced(SERVER_OPTIONS, SIGN_IN)],
    examples: [
      ['doctor https://example.com/mcp', 'its steps, or why the URL can’t be connected'],
      ['doctor -- node server.js', 'era, capabilities and round trip'],
      ['doctor --for vscode -- node s.js', 'what a host needs'],
    ],
    notes: [
      'It reads the first list, sends one ping or server/discover, and calls nothing.',
      'Without --auth sign-in it only reads OAuth metadata. Exit code 1: the list or the ping fails.',
      ...FEATURES.flatMap(({ looks = [] }) => looks.map(({ note }) => note)),
      TIMEOUT_NOTE,
    ],
    load: () => import('../doctor/doctor'),
  },
];
