# mcp-inspect with its page on port 6270. docs/hosting.md says how to run it, and which addresses it answers at.

FROM node:22-slim AS build
WORKDIR /src
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY . .
# Packing builds first. The archive holds what is published: one folder, `package`, without dependencies.
RUN npm pack --silent && tar -xzf mcp-inspect-*.tgz -C /opt

FROM node:22-slim
COPY --from=build /opt/package /opt/mcp-inspect
RUN ln -s /opt/mcp-inspect/dist/cli.js /usr/local/bin/mcp-inspect \
  && mkdir /data /work \
  && chown node:node /data /work
ENV MCP_INSPECT_HOME=/data
# Servers run in this container as this user too.
USER node
WORKDIR /work
VOLUME /data
EXPOSE 6270
# A published port reaches only an address of the container, so it listens on all of them. The guard still accepts only
# browsers that use localhost:6270, or the address in --page url.
ENTRYPOINT ["mcp-inspect", "--no-open", "--listen", "0.0.0.0,localhost", "--port", "6270"]
