# The image that the manifests name: the built package on Node, as nobody in particular, on a root that may be read-only.
# Needs `npm run build` before it: docker build -t vouch:0.1.0 .
FROM node:24.21.0-bookworm-slim AS dependencies
WORKDIR /vouch
COPY dist/package/package.json ./
RUN npm install --omit=dev --ignore-scripts --no-audit --no-fund

FROM node:24.21.0-bookworm-slim
WORKDIR /vouch
COPY --from=dependencies /vouch/node_modules ./node_modules
COPY dist/package ./
# Three names, since the manifests of the webhooks start the programs that they stand in for.
RUN printf '#!/bin/sh\nexec node /vouch/dist/vouch.js "$@"\n' > /usr/bin/vouch \
 && printf '#!/bin/sh\nexec node /vouch/dist/vouch.js webhook aws "$@"\n' > /usr/bin/aws-pod-identity-webhook \
 && printf '#!/bin/sh\nexec node /vouch/dist/vouch.js webhook azure "$@"\n' > /usr/bin/azure-workload-identity-webhook \
 && chmod 755 /usr/bin/vouch /usr/bin/aws-pod-identity-webhook /usr/bin/azure-workload-identity-webhook
USER 65532:65532
ENTRYPOINT ["node", "/vouch/dist/vouch.js"]
