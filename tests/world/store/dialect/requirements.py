"""What SQLAlchemy may expect of SQLite, the same for both drivers; a skip says which requirement closed it."""

from typing import Any

from sqlalchemy.testing import exclusions
from sqlalchemy.testing.requirements import SuiteRequirements

SUPPORTED = frozenset(
    (
        "check_constraint_reflection",
        "create_table_as",
        "create_temp_table_as",
        "datetime_literals",
        "dbapi_lastrowid",
        "expression_server_defaults",
        "fk_constraint_option_reflection_ondelete_noaction",
        "fk_constraint_option_reflection_ondelete_restrict",
        "fk_constraint_option_reflection_onupdate_restrict",
        "float_or_double_precision_behaves_generically",
        "foreign_key_constraint_option_reflection_ondelete",
        "foreign_key_constraint_option_reflection_onupdate",
        "has_temp_table",
        "index_ddl_if_exists",
        "indexes_check_column_order",
        "indexes_with_expressions",
        "infinity_floats",
        "inline_check_constraint_reflection",
        "precision_numerics_retains_significant_digits",
        "reflect_table_options",
        "reflects_pk_names",
        "regexp_match",
        "repeated_column_foreign_keys",
        "server_defaults",
        "supports_bitwise_and",
        "supports_bitwise_not",
        "supports_bitwise_or",
        "supports_bitwise_shift",
        "supports_bitwise_xor",
        "table_ddl_if_exists",
        "temp_table_names",
        "temporary_views",
        "tuple_in",
        "tuple_in_w_empty",
        "uuid_data_type",
        "view_column_reflection",
        "view_reflection",
        "views",
    )
)

SKIPPED = {
    "column_collation_reflection": "the dialect reflects no collations",
    "comment_reflection": "SQLite has no comments on tables and columns",
    "comment_reflection_full_unicode": "SQLite has no comments on tables and columns",
    "create_or_replace_view": "SQLite has no CREATE OR REPLACE VIEW",
    "cross_schema_fk_reflection": "a second schema needs ATTACH, which worlds refuse",
    "fetch_expression": "SQLite has LIMIT and OFFSET only",
    "fetch_first": "SQLite has LIMIT and OFFSET only",
    "fetch_no_order_by": "SQLite has LIMIT and OFFSET only",
    "fetch_offset_with_options": "SQLite has LIMIT and OFFSET only",
    "fetch_percent": "SQLite has LIMIT and OFFSET only",
    "fetch_ties": "SQLite has LIMIT and OFFSET only",
    "identity_columns": "SQLite has no identity columns",
    "index_reflects_included_columns": "SQLite indexes have no included columns",
    "materialized_views": "SQLite has no materialized views",
    "nvarchar_types": "SQLite has one type of text",
    "parens_in_union_contained_select_w_limit_offset": "SQLite takes no parentheses around the parts of a UNION",
    "parens_in_union_contained_select_wo_limit_offset": "SQLite takes no parentheses around the parts of a UNION",
    "precision_numerics_many_significant_digits": "SQLite keeps decimals as 8-byte floats",
    "regexp_replace": "SQLite has no regexp_replace",
    "repeated_remote_col_foreign_keys": "SQLite refuses a foreign key that names one remote column twice",
    "schema_create_delete": "a second schema needs ATTACH, which worlds refuse",
    "schema_reflection": "a second schema needs ATTACH, which worlds refuse",
    "schemas": "a second schema needs ATTACH, which worlds refuse",
    "temp_table_comment_reflection": "SQLite has no comments on tables and columns",
}

FAILED = {
    "test_get_foreign_keys": (
        "pysqlite fails it too: expects the keys of a table in another order than SQLite lists them"
    ),
    "test_get_multi_check_constraints": (
        "pysqlite fails it too: expects the constraints in another order than SQLite lists them"
    ),
    "test_get_multi_foreign_keys": (
        "pysqlite fails it too: expects the keys of a table in another order than SQLite lists them"
    ),
    "test_get_multi_unique_constraints": (
        "pysqlite fails it too: expects the constraints in another order than SQLite lists them"
    ),
    "test_metadata": "pysqlite fails it too: reflects the second schema that is not there",
}


class Requirements(SuiteRequirements):
    """The suite's own defaults, opened where SQLite can do it."""

    def get_order_by_collation(self, config: object) -> str:
        return "NOCASE"

    def __getattribute__(self, name: str) -> Any:
        if name in SUPPORTED:
            return exclusions.open()
        if name in SKIPPED:
            return exclusions.closed(name)
        return super().__getattribute__(name)
