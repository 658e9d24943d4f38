# A request -> the document: order, data and gradients of the graph, with the ledger of the backward
# pass (R4, R20 to R28).
package Document;
use strict;
use warnings;
no warnings "recursion";
use Exporter "import";

use Json qw(number double);
use Operations qw(compute slopes is_derived);
use Parser qw(parse);
use Request qw(check_request);

our @EXPORT_OK = qw(introspect);

my $NODES = 10_000;

sub introspect {
    my ($request, $contract) = @_;
    my ($expression, $values, $parameters, $view) = check_request($request);
    my ($root, @bound) = parse($expression, $view);
    my @order = topological_order($root);
    _skip("unused names") if grep { !exists $_->{id} } @bound;
    _skip("large graphs") if @order > $NODES;

    forward($values, @order);
    my @edges = backward(@order);
    my @variables = grep { $_->{variable} } @order;
    my %used = map { $_->{label} => $_ } @variables;
    my @ids = 0 .. $#order;
    return {
        contract          => $contract,
        expression        => $expression,
        values            => { map { $_->{label} => number($_->{data}) } @variables },
        unused_values     => [sort grep { !$used{$_} } keys %$values],
        view              => $view,
        root              => number($#order),
        result            => number($root->{data}),
        gradients         => { map { $_->{label} => number($_->{grad}) } @variables },
        nodes             => [map { node_row($_, $parameters) } @order],
        edges             => [map { edge_row($edges[$_], $_) } 0 .. $#edges],
        topological_order => [map { number($_) } @ids],
        backward_order    => [map { number($_) } reverse @ids],
    };
}

# Depth-first post-order from the root, operands left to right, each node once (R22).
sub topological_order {
    my ($root) = @_;
    my @order;
    my $visit;
    $visit = sub {
        my ($node) = @_;
        return if $node->{seen}++;
        $visit->($_) for @{ $node->{operands} };
        $node->{id} = @order;
        push @order, $node;
    };
    $visit->($root);
    undef $visit;
    return @order;
}

sub forward {
    my ($values, @order) = @_;
    for my $node (@order) {
        if ($node->{variable}) {
            _skip("missing values") if !exists $values->{ $node->{label} };
            $node->{data} = $values->{ $node->{label} };
        }
        elsif ($node->{operation}) {
            $node->{data} = compute($node->{operation}, map { $_->{data} } @{ $node->{operands} });
        }
    }
}

# Sets every node's `grad`; returns the edges in the order of their ids, by `to` and `slot`.
sub backward {
    my (@order) = @_;
    $_->{grad} = 0 for @order;
    $order[-1]{grad} = 1;
    my @edges;
    for my $node (reverse @order) {
        my @operands = @{ $node->{operands} } or next;
        my @slopes = slopes($node->{operation}, $node->{data}, map { $_->{data} } @operands);
        my @row;
        for my $slot (0 .. $#operands) {
            my ($operand, $slope) = ($operands[$slot], $slopes[$slot]);
            my $edge = { from => $operand->{id}, to => $node->{id}, slot => $slot };
            if (defined $slope) {
                my $contribution = _finite(double($node->{grad} * $slope));
                $operand->{grad} = _finite(double($operand->{grad} + $contribution));
                $edge->{numbers} = [$node->{grad}, $slope, $contribution, $operand->{grad}];
            }
            else {
                $edge->{numbers} = [$node->{grad}];
                $operand->{grad} = undef;    # an exponent (R24)
            }
            push @row, $edge;
        }
        unshift @edges, @row;
    }
    return @edges;
}

sub node_row {
    my ($node, $parameters) = @_;
    my $kind =
        $node->{operation} ? "operation"
      : !$node->{variable} ? "constant"
      : $parameters->{ $node->{label} } ? "parameter"
      :                                   "input";
    my $derived = $node->{operation} && is_derived($node->{operation});
    return {
        id        => number($node->{id}),
        kind      => $kind,
        operation => $node->{operation},
        label     => $node->{label},
        data      => number($node->{data}),
        grad      => _number_or_null($node->{grad}),
        derived   => $derived ? \1 : \0,
        span      => $node->{span},
    };
}

sub edge_row {
    my ($edge, $id) = @_;
    my ($incoming, $local, $contribution, $running) = @{ $edge->{numbers} };
    return {
        id             => number($id),
        from           => number($edge->{from}),
        to             => number($edge->{to}),
        slot           => number($edge->{slot}),
        differentiable => defined $local ? \1 : \0,
        incoming_grad  => number($incoming),
        local_grad     => _number_or_null($local),
        contribution   => _number_or_null($contribution),
        running_grad   => _number_or_null($running),
    };
}

sub _number_or_null { return defined $_[0] ? number($_[0]) : undef }

sub _finite {
    my ($number) = @_;
    _skip("errors about numbers that are not finite") if $number - $number != 0;
    return $number;
}

sub _skip { die { skipped => $_[0] } }

1;
