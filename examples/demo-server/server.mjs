#!/usr/bin/env node
// @ts-check
import { Connection } from './connection.mjs';
import { LineReader, stringify } from './json-lines.mjs';
import { Station } from './station.mjs';

// An MCP server over stdio that has one of everything, without dependencies. Start reading here.

const connection = new Connection(new Station(), (message) => process.stdout.write(`${stringify(message)}\n`));
const lines = new LineReader((line) => connection.receive(line));

process.stdin.on('data', (chunk) => lines.push(chunk));
// The client closes stdin when it is done. Nobody waits for responses to requests that are still running.
process.stdin.on('end', () => process.exit(0));
// The client ended without closing stdin.
process.stdout.on('error', () => process.exit(0));

process.stderr.write('Skerry Light is listening on stdin.\n');
