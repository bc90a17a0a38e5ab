import type { Piece, PieceStore } from './piece-store';

/** A store of pieces in memory, for tests: what a browser's database holds is what was put there. */
export class TestPieces implements Pick<PieceStore, 'put' | 'of' | 'forget'> {
  pieces: Piece[] = [];
  /** The disk refuses from now on. */
  full = false;

  async put(piece: Piece): Promise<void> {
    if (this.full) throw new DOMException('no room', 'QuotaExceededError');
    this.pieces.push(piece);
  }

  async of(tab: string): Promise<Piece[]> {
    return this.pieces.filter((piece) => piece.tab === tab);
  }

  async forget(tab: string, connection: string): Promise<void> {
    this.pieces = this.pieces.filter((piece) => piece.tab !== tab || piece.connection !== connection);
  }
}
