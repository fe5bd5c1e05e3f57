// The floor under every HTTP server of Node: reads the request whole and answers the same 700 bytes, deciding nothing. Started by the
// bench as a process of its own; says its port.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const body = Buffer.from('x'.repeat(700))
const headers = ['content-type', 'text/xml', 'content-length', String(body.length)]

const server = createServer({ noDelay: true }, (request, response) => {
  request.on('data', () => {})
  request.on('end', () => {
    response.writeHead(200, headers)
    response.end(body)
  })
})
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port))
