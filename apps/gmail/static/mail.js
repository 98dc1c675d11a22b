// The mail client's own touches: choosing rows, keys of a list, suggestions under the search field.
