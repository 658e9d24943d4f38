# A decoded request -> its checked members. This engine does not say which member is wrong, and why.
package Request;
use strict;
use warnings;
use Exporter "import";

use Json qw(is_number);

our @EXPORT_OK = qw(check_request);

my $CHARACTERS = 65_536;
my $VARIABLES  = 1_000;
my $NAME       = qr/\A[A-Za-z_][A-Za-z0-9_]*\z/;

sub check_request {
    my ($request) = @_;
    my ($expression, $values) = @$request{qw(expression values)};
    my $parameters = exists $request->{parameters} ? $request->{parameters} : [];
    my $view       = exists $request->{view}       ? $request->{view}       : "folded";

    _skip() if !defined $expression || ref $expression;
    _skip() if length $expression > $CHARACTERS;
    _skip() if ref $values ne "HASH" || keys %$values > $VARIABLES;
    for my $name (keys %$values) {
        my $value = $values->{$name};
        _skip() if $name !~ $NAME || !is_number($value) || $$value - $$value != 0;
    }
    _skip() if ref $parameters ne "ARRAY" || @$parameters > $VARIABLES;
    my %seen;
    for my $name (@$parameters) {
        _skip() if !defined $name || ref $name || $seen{$name}++;
        _skip() if !exists $values->{$name};
    }
    _skip() if !defined $view || ref $view || $view !~ /\A(?:folded|primitive)\z/;
    return ($expression, { map { $_ => ${ $values->{$_} } } keys %$values }, \%seen, $view);
}

sub _skip { die { skipped => "errors of requests" } }

1;
