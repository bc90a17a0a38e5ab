import { pinCall } from './check/components/pin-call';
import type { CallAction } from './page-feature';

/** The actions of features on a call. */
export const CALL_ACTIONS: readonly CallAction[] = [pinCall];
