import { BooleanControl, ConstControl, EnumControl } from './choice-controls';
import type { Controls } from './form-context';
import { ArrayControl, TupleControl } from './list-controls';
import { MapControl, ObjectControl } from './object-controls';
import { AnyControl, NumberControl, StringControl } from './text-controls';
import { UnionControl } from './union-control';

/** The input of each kind. A new kind is a type error until it has one. */
export const CONTROL_BY_KIND: Controls = {
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
