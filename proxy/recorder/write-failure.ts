/** Why a file can't be written, for the middle of a sentence. */
export function writeFailure(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return REASONS.get(code ?? '') ?? message;
}

const REASONS: ReadonlyMap<string, string> = new Map([
  ['ENOSPC', 'the disk is full'],
  ['EDQUOT', 'the disk quota is used up'],
  ['EFBIG', 'the file is as large as it may get'],
  ['EIO', 'the disk failed'],
  ['EACCES', 'nothing may be written'],
  ['EPERM', 'nothing may be written'],
  ['EROFS', 'nothing can be written'],
  ['EEXIST', 'there is such a file already'],
]);
