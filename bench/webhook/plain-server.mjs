// What Node itself costs: a server of its own over TLS, without a line of ours. `node plain-server.mjs PORT CERTIFICATE KEY [BYTES]`. It takes
// the body as it comes, without looking into it, and answers so many bytes that were made before.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'

const [, , port, certificate, key, bytes = '0'] = process.argv
const empty = JSON.stringify({ response: { patch: '' } })
const patch = 'x'.repeat(Math.max(0, Number(bytes) - empty.length))
const answer = Buffer.from(JSON.stringify({ response: { patch } }))
const headers = { 'content-type': 'application/json', 'content-length': answer.length }
createServer({ cert: readFileSync(certificate), key: readFileSync(key) }, (request, response) => {
  request.resume()
  request.on('end', () => {
    response.writeHead(200, headers)
    response.end(answer)
  })
}).listen(Number(port), '127.0.0.1')
