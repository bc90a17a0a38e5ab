import type { LanguageModelV3FunctionTool, LanguageModelV3Message, SharedV3ProviderOptions } from '@ai-sdk/provider';
import type { ChatMessage, ChatPart, DialectLoss, OfferedTool, ToolResultPart } from '@/features/chat/lib/chat-frame';
import type { ModelRequest } from '@/features/chat/lib/model';
import { readSignature } from './signature';

/** The parts of a chat that a dialect can carry. */
export interface Carried {
  /** Name of the provider's own options in the SDK. */
  readonly options: string;
  /** Media types that a person's message may hold. */
  readonly media: RegExp;
  /** Media types that a tool's result may hold. */
  readonly resultMedia: RegExp;
  /** Reasoning goes back only with the provider's own signature. */
  readonly signedReasoning: boolean;
}

type Part<R extends LanguageModelV3Message['role']> = Exclude<
  Extract<LanguageModelV3Message, { role: R }>['content'],
  string
>[number];
type Output = Extract<Part<'tool'>, { type: 'tool-result' }>['output'];

/** Characters of a name or type, which a server chose, in a note. */
const SHOWN_CHARS = 100;

/** Turns a request into the SDK's prompt. `lose` gets what the dialect can't carry. */
export function promptOf(
  { system, messages }: Pick<ModelRequest, 'system' | 'messages'>,
  carried: Carried,
  lose: (loss: DialectLoss) => void,
): LanguageModelV3Message[] {
  const prompt = messages
    .map((message) => messageOf(message, carried, lose))
    // No provider accepts a message without content, such as an answer that was called off at once.
    .filter(({ content }) => content.length > 0);
  return system === undefined || system === '' ? prompt : [{ role: 'system', content: system }, ...prompt];
}

/** Turns offered tools into the SDK's tools. */
export function sdkTools(tools: readonly OfferedTool[], strict: boolean | undefined): LanguageModelV3FunctionTool[] {
  return tools.map(({ name, description, inputSchema }) => ({
    type: 'function',
    name,
    ...(description !== undefined && { description }),
    inputSchema,
    ...(strict !== undefined && { strict }),
  }));
}

function messageOf(
  { role, parts }: ChatMessage,
  carried: Carried,
  lose: (loss: DialectLoss) => void,
): LanguageModelV3Message {
  if (role === 'user') return { role, content: parts.flatMap((part) => userPart(part, carried, lose)) };
  if (role === 'assistant') return { role, content: parts.flatMap((part) => assistantPart(part, carried, lose)) };
  const results = parts.filter((part) => part.type === 'result');
  return { role: 'tool', content: results.map((part) => resultPart(part, carried, lose)) };
}

function userPart(part: ChatPart, { media }: Carried, lose: (loss: DialectLoss) => void): Part<'user'>[] {
  if (part.type === 'text') return [{ type: 'text', text: part.text }];
  if (part.type !== 'media') return [];
  const piece = carry(part, media);
  if (piece.type === 'text') {
    if (piece.isNote)
      lose({ message: `This dialect has no place for ${shownType(part)} in a message: a note went there.` });
    return [{ type: 'text', text: piece.text }];
  }
  const { mediaType, data } = piece;
  return [{ type: 'file', mediaType, data, ...(part.name !== undefined && { filename: part.name }) }];
}

function assistantPart(part: ChatPart, carried: Carried, lose: (loss: DialectLoss) => void): Part<'assistant'>[] {
  if (part.type === 'text') return part.text === '' ? [] : [{ type: 'text', text: part.text }];
  if (part.type === 'reasoning') {
    const own = signed(part.signature, carried);
    if (carried.signedReasoning && !own) {
      lose({ message: 'Reasoning that another model wrote, or that has no signature, is not sent again.' });
      return [];
    }
    return [{ type: 'reasoning', text: part.text, ...own }];
  }
  if (part.type !== 'call') return [];
  const { id, name } = part;
  const input = readObject(part.arguments);
  if (input === undefined) {
    lose({ message: `The invalid arguments of the call ${id} are sent again as an empty object.` });
  }
  return [
    { type: 'tool-call', toolCallId: id, toolName: name, input: input ?? {}, ...signed(part.signature, carried) },
  ];
}

function signed(
  signature: string | undefined,
  { options }: Carried,
): { providerOptions: SharedV3ProviderOptions } | undefined {
  const own = signature === undefined ? undefined : readSignature(signature, options);
  return own && { providerOptions: { [options]: own } };
}

function resultPart(
  { id, name, parts, isError }: ToolResultPart,
  { resultMedia }: Carried,
  lose: (loss: DialectLoss) => void,
): Part<'tool'> {
  const pieces = parts.flatMap((part): Piece[] => {
    if (part.type !== 'media') return part.type === 'text' ? [part] : [];
    const piece = carry(part, isError ? NOTHING : resultMedia);
    if (piece.type === 'text' && piece.isNote) {
      const where = isError ? 'a failed result' : 'a result';
      lose({ tool: name, message: `This dialect has no place for ${shownType(part)} in ${where}: a note went there.` });
    }
    return [piece];
  });
  return { type: 'tool-result', toolCallId: id, toolName: name, output: outputOf(pieces, isError) };
}

function outputOf(pieces: readonly Piece[], isError: boolean): Output {
  const texts = pieces.filter((part) => part.type === 'text');
  if (texts.length === pieces.length) {
    return { type: isError ? 'error-text' : 'text', value: texts.map(({ text }) => text).join('\n') };
  }
  return {
    type: 'content',
    value: pieces.flatMap((part): Extract<Output, { type: 'content' }>['value'] => {
      if (part.type === 'text') return [{ type: 'text', text: part.text }];
      const { mediaType, data, name } = part;
      if (mediaType.startsWith('image/')) return [{ type: 'image-data', mediaType, data }];
      return [{ type: 'file-data', mediaType, data, ...(name !== undefined && { filename: name }) }];
    }),
  };
}

/** Something that a dialect can carry. */
type Piece =
  | { readonly type: 'text'; readonly text: string; readonly isNote?: true }
  | { readonly type: 'media'; readonly mediaType: string; readonly data: string; readonly name?: string | undefined };

type Media = Extract<ChatPart, { type: 'media' }>;

const NOTHING = /(?!)/;
/** Types that every model reads as text. */
const TEXT = /^(?:text\/[\w.+-]+|application\/(?:[\w.-]+\+)?(?:json|xml|yaml))$/;

/** Returns a file as a dialect carries it: itself, its text, or a note of what is missing. */
function carry(part: Media, accepted: RegExp): Piece {
  const { mimeType, data, name } = part;
  const mediaType = mimeType
    .split(';', 1)[0]!
    .trim()
    .toLowerCase()
    .replace(/^image\/jpg$/, 'image/jpeg');
  // The SDK takes a string that begins like a URL for one, and the provider would request it.
  if (isBase64(data) && accepted.test(mediaType)) return { type: 'media', mediaType, data, name };
  if (isBase64(data) && TEXT.test(mediaType)) return { type: 'text', text: Buffer.from(data, 'base64').toString() };
  return { type: 'text', text: noteFor(part), isNote: true };
}

function noteFor({ mimeType, data, name = '' }: Media): string {
  const kilobytes = Math.ceil((data.length * 3) / 4 / 1024);
  const what = [name.slice(0, SHOWN_CHARS), shownType({ mimeType }), `${kilobytes} KB`];
  return `[${what.filter(Boolean).join(', ')}: not sent to the model]`;
}

function shownType({ mimeType }: Pick<Media, 'mimeType'>): string {
  return mimeType.slice(0, SHOWN_CHARS);
}

function isBase64(data: string): boolean {
  return /^[A-Za-z0-9+/]*={0,2}$/.test(data);
}

function readObject(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text === '' ? '{}' : text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
