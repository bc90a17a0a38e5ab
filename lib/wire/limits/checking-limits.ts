/** Schemas, the checks made from them, and rules over the frames of a log: anybody may have written what they go through. */
export const CHECKING_LIMITS = {
  /** Schemas looked at to flatten one: beyond it, it is taken for a bomb of references. */
  schemaSteps: 1000,
  /** Objects and arrays of a schema gone through for the places that references name. */
  schemaNodes: 500_000,
  /** Schemas looked at to make one form node and call its branches: unions within unions come to any number. */
  viewSteps: 3000,
  /** Schemas compared with a value to find the branch of a union it belongs to, and how deep. */
  fitSteps: 2000,
  fitDepth: 4,
  /** How long checking arguments or making a sample may take: a pattern of a server's may take for ever. */
  schemaWorkMs: 500,
  /** Fields of one schema that are counted for a report. */
  fieldsCounted: 20_000,
  /** Problems of one document that are told. */
  problemsTold: 500,
  /** A longer schema is not handed to the editor's worker. */
  editorSchemaChars: 1_000_000,
  /** Nodes of a tool's schema that are looked at, and of a result of which all faults are told, not the first alone. */
  faultNodes: 20_000,
  /** Faults of one structured result that are told. */
  outputFaults: 50,
  /** Rules look at one portion of a recording's frames no longer than this: a schema's pattern may take for ever. Frames and bytes of a portion. */
  rulesMs: 5000,
  rulesFrames: 256,
  rulesBytes: 1024 * 1024,
  /** The same for a portion of a log over which no schema was begun, the worker's start included: it only ends what would never. */
  rulesBlindMs: 30_000,
  /** Schemas that hang, beyond which no result of that log is held against one any more. */
  rulesHangs: 3,
  /** Frames handed to the rules' worker at a time, and the bytes of them: one larger frame goes alone. */
  checkedFrames: 512,
  checkedBytes: 1024 * 1024,
  /** Problems of one rule that are told apart, the last standing for all others; frames that each names. */
  problemsPerRule: 200,
  framesPerProblem: 50,
  /** Problems that a frame is remembered to have which do not name it, besides graver ones than these. */
  marksPerFrame: 4,
} as const;
