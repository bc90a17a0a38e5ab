// Replaces lists of features. A shared file has no server and no proxy, so nothing is done with its calls, and no
// question is answered.

export const CALL_ACTIONS: readonly never[] = [];
export const HEALTH_NOTES: readonly never[] = [];
export const TOOL_NOTES: readonly never[] = [];
export const QUESTION_FEATURES: readonly never[] = [];
