import { AnyControl } from './any-control';
import { ArrayControl } from './array-control';
import { BooleanControl, EnumControl } from './choice-control';
import { ConstControl } from './const-control';
import type { Controls } from './form-context';
import { MapControl } from './map-control';
import { NumberControl } from './number-control';
import { ObjectControl } from './object-control';
import { StringControl } from './string-control';
import { TupleControl } from './tuple-control';
import { UnionControl } from './union-control';

/** The input of each kind. */
export const FIELDS: Controls = {
  string: StringControl,
  number: NumberControl,
  integer: NumberControl,
  boolean: BooleanControl,
  enum: EnumControl,
  const: ConstControl,
  array: ArrayControl,
  tuple: TupleControl,
  object: ObjectControl,
  map: MapControl,
  union: UnionControl,
  any: AnyControl,
};
