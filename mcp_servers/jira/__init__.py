"""Tool surfaces over the issue tracker."""
