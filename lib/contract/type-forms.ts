import { declare, type ToolType } from './declarations';
import { jsonSchema } from './json-schema';
import { pydanticCode } from './pydantic';
import { typescriptCode } from './typescript';
import { zodCode } from './zod';

/** A language that types of results are written in. */
interface TypeForm {
  readonly label: string;
  /** Name of the language for colours. */
  readonly language: string;
  write(types: readonly ToolType[]): string;
}

/** Every language, by its name on the command line. */
export const TYPE_FORMS = {
  schema: {
    label: 'JSON Schema',
    language: 'json',
    write(types) {
      const schemas = types.map(({ tool, type }) => [tool, jsonSchema(type)] as const);
      return JSON.stringify(schemas.length === 1 ? schemas[0]![1] : Object.fromEntries(schemas), undefined, 2);
    },
  },
  typescript: { label: 'TypeScript', language: 'typescript', write: (types) => typescriptCode(declare(types)) },
  zod: { label: 'Zod', language: 'typescript', write: (types) => zodCode(declare(types)) },
  pydantic: { label: 'Pydantic', language: 'python', write: (types) => pydanticCode(declare(types)) },
} as const satisfies Readonly<Record<string, TypeForm>>;
