// A server that takes connections and never says a word: a cluster behind a broken load balancer.
import { type AddressInfo, createServer } from 'node:net'

const server = createServer(socket => socket.on('error', () => {}).resume())
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }))
