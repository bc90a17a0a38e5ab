// The baseline: a bridge that sends each stdout chunk as one WebSocket message, and writes each message to stdin.
// Prints its port.
import { spawn } from 'node:child_process';
import { WebSocketServer } from 'ws';

const [command, ...args] = process.argv.slice(2);
const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false });
server.on('listening', () => console.log(server.address().port));
server.on('connection', (socket) => {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdout.on('data', (chunk) => socket.send(chunk, { binary: true }));
  socket.on('message', (data) => child.stdin.write(data));
  socket.on('close', () => {
    child.kill();
    server.close();
  });
});
