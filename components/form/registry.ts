import { AnyControl } from './any-control';
import { ArrayControl } from './array-control';
import { BooleanControl, EnumControl } from './choice-control';
import { ConstControl } from './const-control';
import type { Controls } from './form-context';
import { MapControl } from './map-control';
import { NumberControl } from './number-control';
import { ObjectControl } from './object-control';
import { StringControl } from './string-control';

/** The input of each kind. */
export const FIELDS: Controls = {
  string: StringControl,
  number: NumberControl,
  integer: NumberControl,
  boolean: BooleanControl,
  enum: EnumControl,
  const: ConstControl,
  array: ArrayControl,
  object: ObjectControl,
  map: MapControl,
  any: AnyControl,
};
