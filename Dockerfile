# The service alone: no tests, no compilers, not root. Other Pythons: --build-arg PYTHON=3.12-slim-bookworm.
ARG PYTHON=3.11-slim-bookworm

FROM python:${PYTHON} AS build
WORKDIR /src
RUN python -m venv /opt/rookery
COPY requirements.lock ./
RUN /opt/rookery/bin/pip install --no-cache-dir --disable-pip-version-check -r requirements.lock
COPY pyproject.toml README.md LICENSE ./
COPY clients clients
COPY engine engine
COPY service service
COPY protos protos
RUN /opt/rookery/bin/pip install --no-cache-dir --disable-pip-version-check --no-deps .

FROM python:${PYTHON}
# An init that reaps: the embedded store's supervisor outlives who started it. Debian keeps one version per release.
# hadolint ignore=DL3008
RUN apt-get update \
  && apt-get install -y --no-install-recommends tini \
  && rm -rf /var/lib/apt/lists/* \
  && useradd --system --uid 10001 --user-group --home-dir /data --shell /usr/sbin/nologin rookery \
  && install -d -o rookery -g rookery -m 700 /data /keys
COPY --from=build /opt/rookery /opt/rookery
ENV PATH=/opt/rookery/bin:$PATH \
  PYTHONUNBUFFERED=1 \
  ROOKERY_GRPC_ADDRESS=0.0.0.0:50051 \
  ROOKERY_HTTP_ADDRESS=0.0.0.0:8080 \
  ROOKERY_DATA_DIR=/data \
  ROOKERY_LOG_FORMAT=json
# By number, so that platforms can see that it is not root.
USER 10001:10001
WORKDIR /data
EXPOSE 8080 50051
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=5s --timeout=4s --start-period=30s --retries=3 \
  CMD ["python", "-c", "import os, urllib.request as u; u.urlopen('http://127.0.0.1:' + os.environ['ROOKERY_HTTP_ADDRESS'].rpartition(':')[2] + '/readyz', timeout=3)"]
ENTRYPOINT ["tini", "--", "rookery"]
# The store is said by the environment: ROOKERY_REDIS_URL with ROOKERY_KEYS_FILE, or nothing for the embedded one in /data.
CMD ["serve"]
