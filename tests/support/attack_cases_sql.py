"""Attacks of family I: SQL that reaches a locked DuckDB."""

from attack_cases import ENVIRON, READ, RESOURCE, WRITE, Attack

_READS = [
    ("read_csv", "SELECT * FROM read_csv('SECRET_FILE')"),
    ("read_text", "SELECT content FROM read_text('SECRET_FILE')"),
    ("read_blob", "SELECT content::VARCHAR FROM read_blob('SECRET_FILE')"),
    ("read_json", "SELECT * FROM read_json('SECRET_JSON')"),
    ("read_parquet", "SELECT * FROM read_parquet('SECRET_PARQUET')"),
    ("a bare file", "SELECT * FROM 'SECRET_PARQUET'"),
    ("a bare quoted file", 'SELECT * FROM "SECRET_PARQUET"'),
    ("a quoted function", "SELECT * FROM \"read_text\"('SECRET_FILE')"),
    ("glob", "SELECT 'GOT' || '-IT' FROM glob('SECRET_FILE')"),
    ("a link", "SELECT content FROM read_text('SECRET_LINK')"),
    ("sniff_csv", "SELECT * FROM sniff_csv('SECRET_FILE')"),
    ("a file inside a WITH", "WITH x AS (FROM read_text('SECRET_FILE')) SELECT * FROM x"),
    ("a file inside a subquery", "SELECT (SELECT content FROM read_text('SECRET_FILE'))"),
    ("query of a text", "FROM query('FROM read_text(''SECRET_FILE'')')"),
    ("query_table of a file", "FROM query_table('SECRET_PARQUET')"),
    ("stacked statements", "SELECT 1; SELECT content FROM read_text('SECRET_FILE')"),
    ("ATTACH", "ATTACH 'SECRET_DB' AS other (TYPE sqlite)"),
    ("the application's variables", "SELECT * FROM SECRETS_OF_OURS"),
    ("http", "SELECT * FROM read_csv('http://127.0.0.1:PORT_NUMBER/x.csv')"),
    ("s3", "SELECT * FROM read_parquet('s3://bucket/x.parquet')"),
]
_WRITES = [
    ("COPY TO", "COPY (SELECT 1) TO 'OUT_FOLDER/x.csv'"),
    ("COPY of a file over another", "COPY (SELECT 1) TO 'OUT_FOLDER/there'"),
    ("COPY by partitions", "COPY (SELECT 1 a) TO 'OUT_FOLDER/p' (PARTITION_BY a)"),
    ("EXPORT", "EXPORT DATABASE 'OUT_FOLDER/e'"),
    ("ATTACH of a new file", "ATTACH 'OUT_FOLDER/x.duckdb' AS x"),
    ("a profile", "PRAGMA profiling_output='OUT_FOLDER/p.json'"),
    ("a log", "SET log_query_path='OUT_FOLDER/log'"),
    ("a folder for what is too large", "SET temp_directory='OUT_FOLDER/t'"),
    ("a secret that stays", "CREATE PERSISTENT SECRET s (TYPE s3, KEY_ID 'x')"),
    ("a COPY inside a WITH", "WITH x AS (COPY (SELECT 1) TO 'OUT_FOLDER/w.csv') SELECT 1"),
]
_SETTINGS = [
    ("external access on", "SET enable_external_access=true"),
    ("the lock off", "SET lock_configuration=false"),
    ("reset of external access", "RESET enable_external_access"),
    ("allowed folders", "SET allowed_directories=['/']"),
    ("memory", "SET memory_limit='1TB'"),
    ("unsigned extensions", "SET allow_unsigned_extensions=true"),
]
_OTHERS = [
    ("INSTALL", "INSTALL httpfs", READ),
    ("LOAD of a path", "LOAD 'OUT_FOLDER/x.duckdb_extension'", READ),
    ("getenv", "SELECT getenv('WIDELEAF_CANARY')", ENVIRON),
    (
        "a product of all with all",
        "SELECT count(*) FROM range(10000000) a, range(10000000) b",
        RESOURCE,
    ),
    (
        "recursion",
        "WITH RECURSIVE r AS (SELECT 1 n UNION ALL SELECT n + 1 FROM r) SELECT max(n) FROM r",
        RESOURCE,
    ),
    ("a range", "SELECT sum(hash(i)) FROM range(1000000000000) t(i)", RESOURCE),
    ("a list", "SELECT len(range(10000000000))", RESOURCE),
]
ATTACKS = [
    *(Attack("I", f"read by {name}", code, READ, live=False) for name, code in _READS),
    *(Attack("I", f"write by {name}", code, WRITE, live=False) for name, code in _WRITES),
    *(
        Attack("I", f"settings: {name}", f"{code}; SELECT 'GOT' || '-IT'", READ, live=False)
        for name, code in _SETTINGS
    ),
    *(Attack("I", name, code, escape, live=False) for name, code, escape in _OTHERS),
]
