import { during, type FieldRows, type Shape, since, until } from '../shape';
import { ASKING_SHAPES } from './asking';
import { COMMON_SHAPES } from './common';
import { CONTENT_SHAPES } from './content';
import { FORM_SHAPES } from './form-schemas';
import { LISTED_SHAPES } from './listed';
import { OPENING_SHAPES } from './opening';

const SHAPE_ROWS = {
  ...COMMON_SHAPES,
  ...OPENING_SHAPES,
  ...CONTENT_SHAPES,
  ...LISTED_SHAPES,
  ...ASKING_SHAPES,
  ...FORM_SHAPES,
} as const satisfies Record<string, Shape>;

/** The name of an object of the protocol. */
export type ShapeName = keyof typeof SHAPE_ROWS;

/** Every object of every version, by our name for it. */
export const SHAPES: ReadonlyMap<string, Shape> = new Map<string, Shape>(Object.entries(SHAPE_ROWS));

/** Names for types that are no objects. A new version adds rows, here as there. */
export const ALIASES: ReadonlyMap<string, FieldRows> = new Map<string, FieldRows>([
  ['token', 'string | integer'],
  ['Role', "'user' | 'assistant'"],
  ['LoggingLevel', "'debug' | 'info' | 'notice' | 'warning' | 'error' | 'critical' | 'alert' | 'emergency'"],
  ['TaskStatus', "'working' | 'input_required' | 'completed' | 'failed' | 'cancelled'"],
  [
    'ContentBlock',
    [
      until('2024-11-05', 'TextContent | ImageContent | EmbeddedResource'),
      during('2025-03-26', '2025-03-26', 'TextContent | ImageContent | AudioContent | EmbeddedResource'),
      since('2025-06-18', 'TextContent | ImageContent | AudioContent | ResourceLink | EmbeddedResource'),
    ],
  ],
  ['SampledContent', 'TextContent | ImageContent | AudioContent | ToolUseContent | ToolResultContent'],
  [
    'ElicitParams',
    [until('2025-06-18', 'ElicitFormParams'), since('2025-11-25', 'ElicitFormParams | ElicitUrlParams')],
  ],
  [
    'PrimitiveSchema',
    [
      until('2025-06-18', 'StringSchema | NumberSchema | BooleanSchema | ChoiceSchema'),
      since(
        '2025-11-25',
        'StringSchema | NumberSchema | BooleanSchema | ChoiceSchema | TitledChoiceSchema | ManyChoiceSchema | TitledManyChoiceSchema',
      ),
    ],
  ],
  ['InputRequest', 'SamplingInputRequest | RootsInputRequest | ElicitInputRequest'],
  ['InputResponse', 'CreateMessageResult | ListRootsResult | ElicitResult'],
]);

/** Objects whose members are the writer's own to name: a name that another version knows means nothing here. */
export const FREE_SHAPES: ReadonlySet<string> = new Set<ShapeName>([
  'RequestMeta',
  'ResultMeta',
  'NotificationMeta',
  'ListenResultMeta',
  'InputSchema',
  'OutputSchema',
]);
