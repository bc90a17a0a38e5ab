import type { ComponentType } from 'react';
import { PinPieces } from './check/components/pin-pieces';
import type { WatchPiecesProps } from './page-feature';

/** The parts of features in the line of a watched server. */
export const WATCH_PIECES: readonly ComponentType<WatchPiecesProps>[] = [PinPieces];
