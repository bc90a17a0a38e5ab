import type { Fault } from '@/lib/protocol/checks';
import type { Format } from '@/lib/protocol/formats';
import { type ProtocolRule, quote } from '../rule';
import { shapeRule } from './shapes';

/** Builds a rule about texts in these formats. */
function formatRule(formats: readonly Format[], rule: Parameters<typeof shapeRule>[0]): ProtocolRule {
  return shapeRule(rule, isIn(formats), ({ expected }, value) => `is ${quote(value)}, which ${expected}`);
}

/** Builds a rule about the names of members. */
function nameRule(formats: readonly Format[], noun: string, rule: Parameters<typeof shapeRule>[0]): ProtocolRule {
  return shapeRule(rule, isIn(formats), ({ expected }) => `is ${noun} that ${expected}`);
}

function isIn(formats: readonly Format[]) {
  return ({ format }: Fault) => format !== undefined && formats.includes(format);
}

/** Rules about the syntax of texts, from the table of shapes. */
export const FORMAT_RULES: readonly ProtocolRule[] = [
  formatRule(['uri', 'uri-template'], {
    id: 'uri-syntax',
    severity: 'warning',
    title: 'Invalid URI or URI template',
    advice: 'Percent-encode other characters, and start a URI with a scheme such as file: or your own.',
  }),
  formatRule(['file-uri'], {
    id: 'root-uri',
    severity: 'error',
    title: 'Root that is not a file:// URI',
    topic: 'roots',
    advice: 'Write the absolute path of the root as a file:// URI.',
  }),
  formatRule(['url'], {
    id: 'elicitation-url',
    severity: 'error',
    title: 'Invalid URL to open',
    topic: 'elicitation',
    advice: 'Send the whole URL of the page that the person is to open.',
  }),
  formatRule(['safe-url'], {
    id: 'elicitation-url-insecure',
    severity: 'warning',
    title: 'URL to open without https:',
    topic: 'elicitation',
    advice: 'Use https:. Only a page on this machine may have http:, during development.',
  }),
  nameRule(['meta-key'], 'a key', {
    id: 'meta-key',
    oncePerField: true,
    severity: 'warning',
    title: 'Invalid key in _meta',
    topic: 'meta',
    advice: 'Use a prefix such as com.example/ and a name of letters, digits, hyphens, underscores and dots.',
  }),
  nameRule(['reserved-key', 'reserved-key-2025-06'], 'a key', {
    id: 'meta-key-reserved',
    oncePerField: true,
    severity: 'warning',
    title: 'Reserved key in _meta',
    topic: 'meta',
    advice: 'Use a prefix of your own, such as com.example/. A later version may give the key a meaning.',
  }),
  nameRule(['extension-name'], 'a name', {
    id: 'extension-name',
    severity: 'error',
    title: 'Invalid name of an extension',
    topic: 'extensions',
    advice: 'Name the extension with a prefix, as in com.example/name.',
  }),
  formatRule(['traceparent', 'tracestate', 'baggage'], {
    id: 'trace-context',
    severity: 'error',
    title: 'Invalid trace context',
    topic: 'meta',
    advice: 'Write traceparent and tracestate as W3C Trace Context says, and baggage as W3C Baggage says.',
  }),
  formatRule(['version-date'], {
    id: 'version-form',
    severity: 'warning',
    title: 'Protocol version that is not a date',
    topic: 'negotiation',
    advice: 'Write a version as its date, as in 2026-07-28.',
  }),
  formatRule(['media-type'], {
    id: 'media-type',
    severity: 'error',
    title: 'Image or audio without a valid MIME type',
    advice: 'Write the type as in image/png or audio/wav.',
  }),
  formatRule(['image-type', 'audio-type'], {
    id: 'media-kind',
    severity: 'warning',
    title: 'MIME type of another kind of content',
    advice: 'Name the type of an image as in image/png, and that of audio as in audio/wav.',
  }),
  formatRule(['mime-type'], {
    id: 'mime-type',
    oncePerField: true,
    severity: 'info',
    title: 'Invalid MIME type',
    advice: 'Write the type as in text/plain, or leave it out.',
  }),
  formatRule(['icon-uri'], {
    id: 'icon-address',
    severity: 'error',
    title: 'Icon URL that clients reject',
    topic: 'icons',
    advice: 'Use an https: or data: URL.',
  }),
  formatRule(['icon-data', 'icon-size'], {
    id: 'icon-form',
    oncePerField: true,
    severity: 'warning',
    title: 'Invalid data or size of an icon',
    topic: 'icons',
    advice: 'Write data as data:image/png;base64,… and a size as 48x48, or "any" for an image that scales.',
  }),
  formatRule(['timestamp'], {
    id: 'timestamp',
    oncePerField: true,
    severity: 'info',
    title: 'Timestamp that is not ISO 8601',
    advice: 'Write it as in 2025-01-12T15:00:58Z.',
  }),
  formatRule(['task-time'], {
    id: 'task-timestamp',
    oncePerField: true,
    severity: 'error',
    title: 'Timestamp of a task that is not ISO 8601',
    topic: 'tasks',
    advice: 'Write createdAt and lastUpdatedAt as in 2025-01-12T15:00:58Z.',
  }),
];
