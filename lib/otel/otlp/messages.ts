// The messages of OTLP as a table, from opentelemetry-proto 1.9.0
// (https://github.com/open-telemetry/opentelemetry-proto, Apache-2.0). read-protobuf.ts reads with it.

/**
 * Types of fields. `hex` and `base64` are bytes, as OTLP/JSON writes ids and other bytes. Integers of 64 bits become
 * decimal text, as in JSON. Any other word is the name of a message in {@link MESSAGES}.
 */
export type FieldType =
  | 'text'
  | 'hex'
  | 'base64'
  | 'bool'
  | 'int32'
  | 'sint32'
  | 'int64'
  | 'uint64'
  | 'fixed32'
  | 'fixed64'
  | 'sfixed64'
  | 'double'
  | (string & {});

export interface OtlpField {
  /** Name in OTLP/JSON. */
  readonly name: string;
  readonly type: FieldType;
  /** The field can occur several times, and is a list. */
  readonly repeated: boolean;
}

/** One row per message: `number:name:type`, with `*` for repeated fields. */
const ROWS: Readonly<Record<string, string>> = {
  Resource: '1:attributes:KeyValue*',
  Scope: '1:name:text 2:version:text',
  KeyValue: '1:key:text 2:value:AnyValue',
  AnyValue:
    '1:stringValue:text 2:boolValue:bool 3:intValue:int64 4:doubleValue:double 5:arrayValue:ArrayValue 6:kvlistValue:KeyValueList 7:bytesValue:base64',
  ArrayValue: '1:values:AnyValue*',
  KeyValueList: '1:values:KeyValue*',
  Span: '1:traceId:hex 2:spanId:hex 3:traceState:text 4:parentSpanId:hex 5:name:text 6:kind:int32 7:startTimeUnixNano:fixed64 8:endTimeUnixNano:fixed64 9:attributes:KeyValue* 10:droppedAttributesCount:int32 11:events:Event* 12:droppedEventsCount:int32 13:links:Link* 14:droppedLinksCount:int32 15:status:Status 16:flags:fixed32',
  Event: '1:timeUnixNano:fixed64 2:name:text 3:attributes:KeyValue* 4:droppedAttributesCount:int32',
  Link: '1:traceId:hex 2:spanId:hex 3:traceState:text 4:attributes:KeyValue* 5:droppedAttributesCount:int32 6:flags:fixed32',
  Status: '2:message:text 3:code:int32',
  LogRecord:
    '1:timeUnixNano:fixed64 2:severityNumber:int32 3:severityText:text 5:body:AnyValue 6:attributes:KeyValue* 7:droppedAttributesCount:int32 8:flags:fixed32 9:traceId:hex 10:spanId:hex 11:observedTimeUnixNano:fixed64 12:eventName:text',
  Metric:
    '1:name:text 2:description:text 3:unit:text 5:gauge:Gauge 7:sum:Sum 9:histogram:Histogram 10:exponentialHistogram:ExponentialHistogram 11:summary:Summary',
  Gauge: '1:dataPoints:Number*',
  Sum: '1:dataPoints:Number* 2:aggregationTemporality:int32 3:isMonotonic:bool',
  Histogram: '1:dataPoints:HistogramPoint* 2:aggregationTemporality:int32',
  ExponentialHistogram: '1:dataPoints:ExponentialPoint* 2:aggregationTemporality:int32',
  Summary: '1:dataPoints:SummaryPoint*',
  Number:
    '2:startTimeUnixNano:fixed64 3:timeUnixNano:fixed64 4:asDouble:double 5:exemplars:Exemplar* 6:asInt:sfixed64 7:attributes:KeyValue* 8:flags:int32',
  HistogramPoint:
    '2:startTimeUnixNano:fixed64 3:timeUnixNano:fixed64 4:count:fixed64 5:sum:double 6:bucketCounts:fixed64* 7:explicitBounds:double* 8:exemplars:Exemplar* 9:attributes:KeyValue* 10:flags:int32 11:min:double 12:max:double',
  ExponentialPoint:
    '1:attributes:KeyValue* 2:startTimeUnixNano:fixed64 3:timeUnixNano:fixed64 4:count:fixed64 5:sum:double 6:scale:sint32 7:zeroCount:fixed64 8:positive:Buckets 9:negative:Buckets 10:flags:int32 11:exemplars:Exemplar* 12:min:double 13:max:double 14:zeroThreshold:double',
  Buckets: '1:offset:sint32 2:bucketCounts:uint64*',
  SummaryPoint:
    '2:startTimeUnixNano:fixed64 3:timeUnixNano:fixed64 4:count:fixed64 5:sum:double 6:quantileValues:Quantile* 7:attributes:KeyValue* 8:flags:int32',
  Quantile: '1:quantile:double 2:value:double',
  Exemplar:
    '2:timeUnixNano:fixed64 3:asDouble:double 4:spanId:hex 5:traceId:hex 6:asInt:sfixed64 7:filteredAttributes:KeyValue*',
};

/** The fields of each message, by their number. */
export const MESSAGES: ReadonlyMap<string, ReadonlyMap<number, OtlpField>> = new Map(
  Object.entries(ROWS).map(([message, row]) => [message, new Map(row.split(' ').map(readField))]),
);

function readField(text: string): [number, OtlpField] {
  const [number, name, type] = text.split(':') as [string, string, string];
  return [Number(number), { name, type: type.replace('*', ''), repeated: type.endsWith('*') }];
}
