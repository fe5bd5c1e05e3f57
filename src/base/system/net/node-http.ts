// Node's own HTTP, without what an `import` of it brings along: importing reads every export, and one of them is a getter that loads
// the whole of fetch and WebSocket, which is a tenth of the start of a small server.
import type * as nodeHttp from 'node:http'

export const http: typeof nodeHttp = process.getBuiltinModule('node:http')
