// The seams rule for the linter: no ambient time, timer, randomness, network, file or environment in src, outside the exempt places.
// Its data is test/house/ambient.ts, which the run-time traps read too.
import { relative } from 'node:path'
import { ambientCrypto, ambientGlobals, ambientModules, ambientNames, isExempt } from '../test/house/ambient.ts'

const message = what =>
  `${what} is ambient: take it through a seam (src/base/seams/seams.ts), so that tests and the simulator can replace it.`

const noAmbient = {
  meta: { type: 'problem', docs: { description: 'everything outside comes in through a seam' } },
  create(context) {
    const file = relative(context.cwd ?? process.cwd(), context.filename ?? context.getFilename()).replaceAll('\\', '/')
    if (!file.startsWith('src/') || /\.(test|fixture)\.ts$/.test(file) || isExempt(file)) return {}
    const importOf = node => {
      if (node.importKind === 'type' || typeof node.source?.value !== 'string') return
      const name = node.source.value.replace(/^node:/, '')
      if (ambientModules.has(name)) context.report({ node, message: message(`'${node.source.value}'`) })
      if (name === 'crypto') {
        for (const specifier of node.specifiers ?? []) {
          const imported = specifier.imported?.name
          if (ambientCrypto.includes(imported)) context.report({ node: specifier, message: message(`'${imported}'`) })
        }
      }
    }
    return {
      ImportDeclaration: importOf,
      ImportExpression: importOf,
      MemberExpression(node) {
        const text = `${node.object?.name ?? ''}.${node.property?.name ?? node.property?.value ?? ''}`
        if (ambientNames.includes(text)) context.report({ node, message: message(`'${text}'`) })
      },
      NewExpression(node) {
        if (node.callee?.name === 'Date' && node.arguments.length === 0)
          context.report({ node, message: message("'new Date()'") })
      },
      CallExpression(node) {
        if (ambientGlobals.includes(node.callee?.name)) context.report({ node, message: message(`'${node.callee.name}'`) })
      },
    }
  },
}

export default { meta: { name: 'vouch' }, rules: { 'no-ambient': noAmbient } }
