// What Node itself costs: a server of its own over TLS, without a line of ours. `node plain-server.mjs PORT CERTIFICATE KEY`.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'

const [, , port, certificate, key] = process.argv
const answer = JSON.stringify({ response: { patch: '' } })
createServer({ cert: readFileSync(certificate), key: readFileSync(key) }, (request, response) => {
  request.resume()
  request.on('end', () => response.end(answer))
}).listen(Number(port), '127.0.0.1')
