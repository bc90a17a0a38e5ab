import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { trimChunks } from './trim-chunks.mjs';

const BANNER = 'const require = 1;';

let folder;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcp-inspect-chunks-'));
  mkdirSync(join(folder, 'proxy'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Writes scripts with the banner, trims them, and returns a function that reads one. */
function trimmed(scripts) {
  const paths = Object.entries(scripts).map(([name, text]) => {
    const path = join(folder, name);
    const [, shebang = '', code] = /^(#!.*\n)?(.*)$/s.exec(text);
    writeFileSync(path, `${shebang}${BANNER}\n${code}`);
    return path;
  });
  trimChunks(paths, BANNER);
  return (name) => readFileSync(join(folder, name), 'utf8');
}

test('imports without names go if others import the same chunk by name, directly or not', () => {
  const read = trimmed({
    'cli.js': '#!/usr/bin/env node\nimport"./proxy/chunk-AAAAAAAA.js";import("./proxy/mcp-BBBBBBBB.js");',
    'proxy/mcp-BBBBBBBB.js': 'import{a as o}from"./chunk-CCCCCCCC.js";import"./chunk-AAAAAAAA.js";import"node:fs";o();',
    'proxy/chunk-CCCCCCCC.js': 'import{b}from"./chunk-AAAAAAAA.js";export{b as a};',
    'proxy/chunk-AAAAAAAA.js': 'var b=()=>{};export{b};',
  });
  expect(read('cli.js')).toBe('#!/usr/bin/env node\nimport"./proxy/000.js";import("./proxy/003-mcp.js");');
  expect(read('proxy/003-mcp.js')).toBe('import{a as o}from"./001.js";import"node:fs";o();');
  expect(read('proxy/001.js')).toBe('import{b}from"./000.js";export{b as a};');
  expect(existsSync(join(folder, 'proxy/chunk-AAAAAAAA.js'))).toBe(false);
});

test('chunks that import each other without names keep these imports', () => {
  const read = trimmed({
    'proxy/a-worker.js': 'import"./chunk-AAAAAAAA.js";go();',
    'proxy/chunk-AAAAAAAA.js': 'import"./chunk-BBBBBBBB.js";',
    'proxy/chunk-BBBBBBBB.js': 'import"./chunk-AAAAAAAA.js";',
  });
  expect(read('proxy/a-worker.js')).toBe('import"./001.js";go();');
  expect(read('proxy/001.js')).toBe('import"./002.js";');
  expect(read('proxy/002.js')).toBe('import"./001.js";');
});

test('only scripts that call require keep the banner', () => {
  const read = trimmed({ 'one.js': 'require("ws");', 'two.js': 'required();' });
  expect(read('one.js')).toBe(`${BANNER}\nrequire("ws");`);
  expect(read('two.js')).toBe('required();');
});
