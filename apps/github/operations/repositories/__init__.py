"""Operations on repositories: contents, branches, releases, forks, settings and webhooks."""
