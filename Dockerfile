# docker build -t quire .
# docker run -p 8000:8000 -v quire-data:/data quire
# docker run --rm -v quire-data:/data -v "$PWD":/in:ro quire import /in
FROM node:24-slim

RUN apt-get update && apt-get install -y --no-install-recommends tini && rm -rf /var/lib/apt/lists/*

WORKDIR /app
ENV NODE_ENV=production
COPY package.json package-lock.json ./
# The language packages bring their data twice; Quire reads the smaller one.
RUN npm ci --omit=dev && npm cache clean --force && rm -rf node_modules/@tesseract.js-data/*/4.0.0
COPY LICENSE ./
COPY samples ./samples
COPY src ./src

RUN mkdir /data && chown node:node /data
USER node
# The Node that package-lock.json pins goes before the image's own.
ENV PATH=/app/node_modules/.bin:$PATH
ENV QUIRE_DATA=/data
ENV QUIRE_HOST=0.0.0.0
VOLUME /data
EXPOSE 8000

# Bash opens the connection itself: a whole Node every half minute would cost more than most requests.
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s \
  CMD ["bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/${QUIRE_PORT:-8000} && printf 'GET /livez HTTP/1.0\\r\\n\\r\\n' >&3 && read -r answer <&3 && [[ $answer == *' 200 '* ]]"]
# The first process of a container has to reap the children of others that have ended, and tini does.
ENTRYPOINT ["tini", "--", "node", "--max-semi-space-size=4", "--heap-growing-percent=30", "--no-allocation-site-pretenuring", "src/main.ts"]
CMD ["serve"]
