#!/usr/bin/env node
// @ts-check
// An MCP server over stdio that has one of everything. No dependencies; start reading here.
import { Connection } from './connection.mjs';
import { LineReader } from './framing.mjs';
import { stringify } from './raw-json.mjs';
import { Station } from './station.mjs';

const connection = new Connection(new Station(), (message) => process.stdout.write(`${stringify(message)}\n`));
const lines = new LineReader((line) => connection.receive(line));

process.stdin.on('data', (chunk) => lines.push(chunk));
// The client closes our stdin when it is done with us: whatever is still running has nobody to answer.
process.stdin.on('end', () => process.exit(0));
// The client is gone without a goodbye.
process.stdout.on('error', () => process.exit(0));

process.stderr.write('Skerry Light is listening on stdin.\n');
