import type { HostFact } from '../fact';
import {
  bundledIcons,
  describedOptions,
  knownMembers,
  privacyPolicies,
  requiredInManifest,
  semanticVersion,
  startedFiles,
} from '../looks/bundle';

const MANIFEST = 'modelcontextprotocol/mcpb:MANIFEST.md @27083dcf';
const SCHEMAS = 'modelcontextprotocol/mcpb:src/schemas/0.4.ts @27083dcf';
const ICONS = 'modelcontextprotocol/mcpb:src/node/validate.ts @27083dcf';
const MANIFEST_ON = '2025-12-03';
const GUIDE = 'https://support.claude.com/en/articles/12922832';
/** The day on which it was read. */
const GUIDE_ON = '2026-11-30';

/** Requirements of the Claude directory on a bundle. */
export const BUNDLES: readonly HostFact[] = [
  {
    id: 'dir-mcpb-required',
    hosts: ['claude-directory'],
    stage: 'directory',
    does: 'wants `manifest_version`, name, version, description, author and server in the manifest.',
    loses: 'server',
    advice: 'Add them.',
    source: MANIFEST,
    on: MANIFEST_ON,
    confidence: 'documented',
    inFile: requiredInManifest,
  },
  {
    id: 'dir-mcpb-unknown',
    hosts: ['claude-directory'],
    stage: 'directory',
    does: 'refuses a manifest with members that its version does not have.',
    loses: 'server',
    advice: 'Remove them. A secret option has `sensitive`, not `secret`.',
    source: SCHEMAS,
    on: MANIFEST_ON,
    confidence: 'source',
    inFile: knownMembers,
  },
  {
    id: 'dir-mcpb-version',
    hosts: ['claude-directory'],
    stage: 'directory',
    does: 'wants a semantic version.',
    loses: 'server',
    advice: 'Write it as 1.0.2.',
    source: MANIFEST,
    on: MANIFEST_ON,
    confidence: 'documented',
    inFile: semanticVersion,
  },
  {
    id: 'dir-mcpb-privacy',
    hosts: ['claude-directory'],
    stage: 'directory',
    does: 'wants the address of a privacy policy in the manifest.',
    loses: 'server',
    advice: 'Add it to `privacy_policies`, with https.',
    source: GUIDE,
    on: GUIDE_ON,
    confidence: 'documented',
    inFile: privacyPolicies,
  },
  {
    id: 'dir-mcpb-entry',
    hosts: ['claude-directory'],
    stage: 'directory',
    does: 'starts a file of the bundle.',
    loses: 'server',
    advice: 'Put it in the bundle, or correct the path.',
    source: MANIFEST,
    on: MANIFEST_ON,
    confidence: 'documented',
    inFile: startedFiles,
  },
  {
    id: 'dir-mcpb-userconfig',
    hosts: ['claude-directory'],
    stage: 'directory',
    does: 'wants a type, a title and a description for each option.',
    loses: 'server',
    advice: 'Add them.',
    source: MANIFEST,
    on: MANIFEST_ON,
    confidence: 'documented',
    inFile: describedOptions,
  },
  {
    id: 'dir-mcpb-icon',
    hosts: ['claude-directory'],
    stage: 'directory',
    does: 'shows icons that are PNG files of the bundle, named by a relative path.',
    loses: 'feature',
    advice: 'Put a PNG of 512 by 512 pixels in the bundle.',
    source: ICONS,
    on: MANIFEST_ON,
    confidence: 'source',
    inFile: bundledIcons,
  },
];
