// The embedded API server as a process of its own, for the bench: prints where it listens as one line of JSON, ends with its input.
import { createApiServer } from '#apiserver'

const server = createApiServer({ emulate: '1.34', controllers: 'none' })
const listener = await server.listen()
console.log(JSON.stringify({ address: `https://127.0.0.1:${listener.port}`, ca: server.ca, token: server.adminToken }))
process.stdin.on('end', () => process.exit(0)).resume()
